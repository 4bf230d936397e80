import { factsOf, type Fact, type FactOf, type Finding, type Inventory } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';

/** Joins code with the settings of the Worker: which binding reaches the objects of a class, and whose objects a migration takes away. Pure. */
export function judge(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  const classes = factsOf(facts, 'object-class');
  if (finding.id === 'framework-server/object-class-migration') return ofSessions(finding, inventory, classes);
  const settled = settle(finding, inventory);
  if (finding.id !== 'framework-server/durable-session') return settled;
  const bindings = classes.filter(({ binding, className }) => binding !== undefined && className === finding.data['className']);
  return { ...settled, related: [...settled.related, ...bindings.map(({ site }) => site)] };
}

/** A migration counts when its class holds MCP sessions: by its code, by its name or that of its binding; in a package with MCP it may. */
function ofSessions(finding: Finding, inventory: Inventory, classes: readonly FactOf<'object-class'>[]): Finding | undefined {
  const name = String(finding.data['name']);
  const own = classes.filter(({ className }) => className === name);
  const related = own.map(({ site }) => site);
  const code = own.find(({ binding }) => binding === undefined);
  if (code !== undefined)
    return { ...finding, certainty: 'certain', related, evidence: [`${code.site.file}:${code.site.line} declares the class, with an object for each session`] };
  const named = [name, ...own.flatMap(({ binding }) => binding ?? [])].find((text) => /mcp/i.test(text));
  if (named !== undefined) return { ...finding, certainty: 'likely', related, evidence: [`\`${named}\` names MCP`] };
  const { file } = finding.site;
  const above = inventory.packages.filter(({ folder }) => folder === '.' || file.startsWith(`${folder}/`)).sort((a, b) => b.folder.length - a.folder.length);
  return above[0]?.candidate !== true
    ? undefined
    : { ...finding, related, evidence: ['its package speaks MCP; what the class held is not in the code any more'] };
}
