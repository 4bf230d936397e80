import type { ts } from 'ts-morph';
import type { Detector, FindingDetails } from '../../src/core/index.js';
import { dialectOf } from '../_mcp/typescript/dialect.js';
import { isShimFile } from '../_mcp/typescript/sessions.js';
import { gate } from './gate.js';
import { gateways } from './gateway.js';
import { handshakes } from './handshake.js';
import { requests } from './request.js';
import { requestStates } from './state.js';
import { tools } from './tool.js';
import { validations } from './validation.js';
import { verdicts } from './verdict.js';

export type Kind =
  | 'request-without-metadata'
  | 'stream-read-as-json'
  | 'era-by-session'
  | 'session-demanded'
  | 'discover-ignored'
  | 'narrow-probe'
  | 'verdict-kept'
  | 'mismatch-code'
  | 'version-code'
  | 'name-field'
  | 'call-fields-dropped'
  | 'result-fields-dropped'
  | 'cancel-not-passed-on'
  | 'no-legacy-exemption'
  | 'gate-cannot-fail'
  | 'process-key'
  | 'open-state'
  | 'repeat-after-loss'
  | 'unsafe-repeat';

export type Say = (kind: Kind, node: ts.Node, details?: FindingDetails) => void;

/** Reports by function: what is right or wrong here depends on what else the same function does. */
export const typescript: Detector<'typescript', Kind> = (file, report) => {
  if (isShimFile(file) || dialectOf(file).implementation) return {};
  const say: Say = (kind, node, details = {}) => {
    report.finding(kind, file.span(node), { group: kind, certainty: 'likely', ...details });
  };
  return {
    NewExpression(node) {
      gate(node, file, say);
    },
    end() {
      requests(file, say);
      handshakes(file, say);
      verdicts(file, say);
      validations(file, say);
      gateways(file, say);
      tools(file, say);
      requestStates(file, say);
    },
  };
};
