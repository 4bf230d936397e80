import type { Detector } from '../../src/core/index.js';
import { type Kind, WRONG_CODES, unknownNames } from './throws.js';

/** Reports plain errors of the low-level handlers that read a resource, call a tool or get a prompt, and errors of the SDK with another code. */
export const typescript: Detector<'typescript', Kind> = (file, report) => ({
  end() {
    for (const { kind, error, code } of unknownNames(file)) {
      const by = code === undefined ? 'a plain `Error`' : `\`${code.name}\``;
      report.finding(kind, file.span(error), { group: 'errors', data: { by, code: String(code === undefined ? -32603 : WRONG_CODES[code.name]) } });
    }
  },
});
