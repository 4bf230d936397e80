import type { Detector } from '../../src/core/index.js';

const SCRIPT = /\.(?:sh|bash|zsh)$/i;
/** Programs that send what a line holds. */
const SENDS = /\b(?:curl|wget|httpie|http|xh)\b/;
/** The message, whole or as a value of `jq`, and the header that goes with what follows. */
const INITIALIZE = /\\?["']method\\?["']\s*:\s*\\?["'](initialize|notifications\/initialized)\\?["']/;
const HEADER = /(?:-H|--header)[ =]?\\?["']?(mcp-session-id)\s*:/i;

/** Scripts that send `initialize` and the session header with `curl` or a program like it. Comments are left out. */
export const text: Detector<'text', 'shell-handshake'> = (file, report) => {
  if (!SCRIPT.test(file.path) || !SENDS.test(file.text) || !/mcp|jsonrpc/i.test(file.text)) return {};
  return {
    Line(line) {
      const indent = line.text.length - line.text.trimStart().length;
      if (line.text.startsWith('#', indent)) return;
      const words = (INITIALIZE.exec(line.text) ?? HEADER.exec(line.text))?.[1];
      if (words === undefined) return;
      const at = { start: line.start + indent, end: line.start + line.text.trimEnd().length };
      report.finding('shell-handshake', at, { group: file.path, data: { words: `\`${words}\`` } });
      if (words === 'initialize') report.fact({ type: 'client', site: report.site(at), what: 'handshake' });
    },
  };
};
