import type { Finding, Inventory } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';

/** Doubles and requests of tests are wrong on purpose; only a gate is meant to be right there. Pure. */
export function judge(finding: Finding, inventory: Inventory): Finding | undefined {
  if (finding.role === 'test') return finding.id === 'era-mistakes/gate-cannot-fail' ? finding : undefined;
  return finding.lane === 'legacy' ? settle(finding, inventory) : finding;
}
