import type { CheckRequest, CheckStep } from '../../../src/core/check-step.js';
import { step } from '../phrases.js';

/** Opens a session of the newest older revision, and keeps its id. */
export const initialize: CheckRequest = {
  era: 'legacy',
  to: 'legacy',
  method: 'initialize',
  params: { protocolVersion: '{legacyRevision}', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
  keep: { session: 'header.mcp-session-id' },
};

/** A request in the session that was opened; without one where the server gives no id. */
export const legacy = (method: string, more: CheckRequest = {}): CheckRequest => ({
  era: 'legacy',
  to: 'legacy',
  method,
  ...more,
  headers: { 'Mcp-Session-Id': '{?kept.session}', ...more.headers },
});

export const initialized: CheckStep = step(legacy('notifications/initialized', { notification: true }), [[]]);

/** Ends the session, where there is one. */
export const farewell: CheckStep = step(legacy('', { verb: 'DELETE' }), [[]], { when: ['kept.session'] });
