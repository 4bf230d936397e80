import type { Detector } from '../../../src/core/index.js';
import { allowsMajor } from '../../../src/languages/python/packaging/index.js';
import type { PythonKind } from '../kinds.js';

/** `pip install "mcp<2"`, `uv add mcp`, `uvx --with mcp`: a command that installs the SDK, with what it asks for. */
const COMMAND =
  /\b(?:pip3?|uv|uvx|pipx|poetry|pdm|rye|hatch|conda|mamba)\b[^\n|&;]*?\b(?:install|add|inject|run|--with|tool)\b[^\n|&;]*?(?<=[\s"'=,])mcp(?:\[[\w,-]+\])?(?<range>(?:\s*(?:[<>=!~]=?|===)\s*[\w.*]+\s*,?)*)(?=$|[\s"'`),])/;
/** Prose that tells readers which releases are meant. */
const PROSE = /\bmcp\b[^\n|]*?`?(?<range>(?:[<>=!~]=|[<>])\s*\d[\w.*]*(?:\s*,\s*(?:[<>=!~]=|[<>])\s*\d[\w.*]*)*)`?/i;
/** Another package of that name, or another thing than the SDK for Python. */
const ELSEWHERE = /@modelcontextprotocol|\bnpm\b|\bnpx\b|\bnode\b|fastmcp\s*[<>=~!]/i;
const HISTORY = /(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|RELEASES?|MIGRAT\w*|UPGRAD\w*)[^/]*\.md$/i;
/** Names that `FastMCP` of SDK v1 took from the environment for its transport. Source: `Settings` of 1.28.1, prefix `FASTMCP_`. */
const SETTING = /^\s*(?:export\s+|ENV\s+)?FASTMCP_(?:HOST|PORT|MOUNT_PATH|SSE_PATH|MESSAGE_PATH|STREAMABLE_HTTP_PATH|JSON_RESPONSE|STATELESS_HTTP)\s*[= ]/;

/** Ranges of the SDK in documents and images, and settings in environment files: told, never edited. `judge` asks whether the package is of SDK v1. */
export const detectTexts: Detector<'text', PythonKind> = (file, report, around) => {
  const group = around.package.folder;
  const image = /(?:^|\/)(?:[^/]*\.)?(?:Dockerfile|Containerfile)[^/]*$/i.test(file.path);
  const environment = /(?:^|\/)\.env(?:\.[\w.-]+)?$/.test(file.path);
  if (HISTORY.test(file.path) || !(image || environment || /\.md$/i.test(file.path)) || file.text.startsWith('<!-- written by unsession')) return {};
  return {
    Line({ text, start }) {
      const indent = text.length - text.trimStart().length;
      const at = { start: start + indent, end: start + text.trimEnd().length };
      if ((environment || image) && SETTING.test(text)) {
        report.finding('settings-access', at, { group, certainty: 'likely', impact: 'none', data: { name: (/FASTMCP_\w+/.exec(text) ?? [''])[0] } });
        return;
      }
      if (environment || ELSEWHERE.test(text)) return;
      const found = COMMAND.exec(text) ?? (image ? null : PROSE.exec(text));
      if (!found) return;
      const range = (found.groups?.range ?? '').replace(/\s+/g, '').replace(/,$/, '');
      // A range that is about SDK v2 only is no promise about v1.
      if (range !== '' && !allowsMajor(range, 1)) return;
      const open = allowsMajor(range, 2);
      report.finding('stated-range', at, {
        group,
        ...(image && open ? { impact: 'degrades' as const } : {}),
        data: { range: range === '' ? 'no range' : `\`${range}\``, effect: open ? 'lets SDK 2.x in as well' : 'keeps SDK 2.x out' },
      });
    },
  };
};
