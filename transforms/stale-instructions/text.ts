import type { Detector } from '../../src/core/index.js';
import { sseSetting } from './settings.js';

export type Kind = 'agent-instruction' | 'document' | 'session-prose' | 'stated-revision' | 'health-advice' | 'client-setting' | 'embedded-text';

/** Files that coding agents read before they write code. */
const FOR_AGENTS =
  /(?:^|\/)(?:AGENTS?|CLAUDE|GEMINI|SKILL|copilot-instructions|\.cursorrules|\.windsurfrules)(?:\.\w+)?\.mdc?$|(?:^|\/)\.(?:cursor|claude|github\/instructions|windsurf)\/.*\.mdc?$/i;
/** What tells what was, or was decided, teaches nothing. */
const HISTORY =
  /(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|RELEASES?|RELEASE[-_]NOTES|MIGRAT\w*|UPGRAD\w*)[^/]*\.mdc?$|(?:^|\/)(?:adrs?|decisions|rfcs?|changelogs?|blog|archive)\/|(?:^|\/)ADR[-_ ]?\d/i;
/** A line that knows that the old way is old. */
const KNOWS =
  /\b(?:legacy|deprecat\w*|removed|no longer|old(?:er)?|obsolete|stateless|migrat\w*|ignored?|never|not? (?:MCP )?(?:session|needed|required|issued)|without (?:a )?session|2026-07-28)\b/i;

/** A line that tells what a checker finds teaches nothing. */
const FINDS = /\b(?:triggered|detect(?:s|ed|ion)|flags?|flagged|mentions?|rule (?:id|fires)|fires (?:on|when)|false positives?|scanner|linter)\b/i;

const HEADER = /\bmcp-session-id\b/i;
const ROUTES = /\b(?:GET|DELETE)\b[^.|]*?(?:`?\/mcp\b|\bMCP endpoint)/;
const HANDLER_ID = /\b(?:extra|ctx)\.sessionId\b|\bsessionIdGenerator\b|\bonsessioninitialized\b/;
const SDK_V1 = /@modelcontextprotocol\/sdk(?:\/[\w./-]+|`?\s+v?1\b)/;

/** Steps of the handshake as prose or as a message: sent, or made by hand. A word alone may be any initialisation. */
const HANDSHAKE =
  /\bnotifications\/initialized\b|\b(?:send|sends|sending|sent|issue|issues|call|calls|first|then)\b[^.|]{0,30}`initialize`|`initialize`\s+(?:request|handshake|call|message|result|response)|["']method["']\s*:\s*["']initialize["']/i;
/** Routes of the session transport and of HTTP+SSE, described for readers. */
const SESSION_ROUTES =
  /\/mcp\b[^.|]*\b(?:GET|DELETE)\b[^.|]*\b(?:stream|session)|\bGET\b[^.|]{0,40}\/sse\b|\/sse`?\s+\**GET\b|\bhttps?:\/\/[^\s"'`<>)\]]+\/sse\b|\bSSE\b[^.|/]{0,40}\(?[^.|]{0,20}`?\/sse\b/;

/** The revision that a server is said to speak. */
const REVISION = /\bprotocol(?: (?:version|revision))?\b[^\w.|\n]{0,8}(?:2024-11-05|2025-03-26|2025-06-18|2025-11-25)\b/i;
/** Advice to look after a server by a request that the modern endpoint refuses. */
const HEALTH = /\bhealth[ -]?checks?\b[^|\n]*\bGET\b[ `]*[\w/.:{}-]*\/mcp\b\/?/i;

/** Sessions in the words of an author: whose they are, where they are kept. */
const PROSE =
  /\bMCP(?: server)?(?:'s)? sessions?\b|\bsessions?(?: \w+)? (?:is|are) (?:owned|stored|kept|persisted|tracked|validated|shared|routed)\b|\bsession (?:ownership|affinity|liveness|stickiness|isolation|persistence|stor(?:e|age)|management)\b|\bsession:(?=[{<$])/i;
/** Sessions of something else. */
const OTHER_SESSIONS =
  /\b(?:log-?in|browser|chat|tmux|terminal|coding|debug\w*|auth\w*|oauth|cookie|web|shell|ssh|training|database|db|spark|agent|claude|editor|conversation|multi|named|cli)[ -]sessions?\b|\bSessionManager\b|\b(?:chat|conversation|browser|compaction|facet)\b/i;

/** A line that only leads on: a link, a file of a tree, the name of a group of tools. */
const LEADS_ON = /^\s*[-*+|]?\s*\[[^\]]*\]\([^)]*\)[^.]{0,60}$|[├└│]|\(\d+(?: tools?)?\)/;

/** The words of a line that speak of sessions of the server; code in fences only where it names their keys. */
function spokenOf(line: string, fenced: boolean): string | undefined {
  if (OTHER_SESSIONS.test(line) || LEADS_ON.test(line)) return undefined;
  const found = PROSE.exec(line);
  if (found === null || (fenced && !found[0].startsWith('session:'))) return undefined;
  // A capital in the middle of a sentence is the name of a class or a product.
  return found[0].startsWith('S') && /[a-z`] $/.test(line.slice(0, found.index)) ? undefined : found[0];
}

/** The words of a line that teach the old way; `undefined` when none does. */
function taught(line: string, forAgents: boolean): string | undefined {
  if (KNOWS.test(line) || FINDS.test(line)) return undefined;
  const found =
    HEADER.exec(line) ??
    HANDLER_ID.exec(line) ??
    HANDSHAKE.exec(line) ??
    SESSION_ROUTES.exec(line) ??
    (forAgents ? (ROUTES.exec(line) ?? SDK_V1.exec(line)) : null);
  return found?.[0].replace(/[`*]/g, '');
}

/** A document that says what the revision takes away knows that what it shows is the old way: migration guides, rule lists, audits. */
const TELLS_CHANGE = /^(?=.*\b2026-07-28\b)(?=.*\b(?:break(?:s|ing)?|remov(?:es?|ed|al)|migrat\w*|replac(?:es?|ed)|gone)\b)/im;
/** Output of a checker in a fence: a file with line and column. */
const LOCATED = /\.\w{1,4}:\d+:\d+\b/;

/** 0-based numbers of the lines in fences that show what a checker printed. */
function printedLines(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  let start: number | undefined;
  const lines = text.split('\n');
  lines.forEach((line, index) => {
    if (!FENCE.test(line)) return;
    if (start === undefined) start = index;
    else {
      if (lines.slice(start, index).some((inner) => LOCATED.test(inner))) for (let at = start; at < index; at++) found.add(at);
      start = undefined;
    }
  });
  return found;
}

const FENCE = /^\s*(?:```|~~~)/;

/** Lines of Markdown; code in fences counts, because it is what readers copy. A heading that names the legacy lane covers its part. */
export const text: Detector<'text', Kind> = (file, report) => {
  if (!/\.mdc?$/i.test(file.path) || HISTORY.test(file.path) || file.text.startsWith('<!-- written by unsession')) return {};
  const forAgents = FOR_AGENTS.test(file.path);
  let fenced = false;
  /** Level of the heading that speaks of the legacy lane; 0 when none does. */
  let covered = 0;
  let row = -1;
  const printed = printedLines(file.text);
  const tellsChange = !forAgents && TELLS_CHANGE.test(file.text);
  const pairs = /^#+ Before\W*$/m.test(file.text) && /^#+ After\W*$/m.test(file.text);
  const ofMcp = /\bMCP\b/.test(file.text);
  /** One sentence of a section is enough to find it. */
  let told = false;
  return {
    Line(line) {
      row++;
      if (FENCE.test(line.text)) fenced = !fenced;
      const level = fenced ? 0 : (/^(#{1,6}) /.exec(line.text)?.[1]?.length ?? 0);
      if (level > 0 && (covered === 0 || level <= covered))
        covered = KNOWS.test(line.text) || (pairs && /^#+ (?:Before|After)\W*$/.test(line.text)) ? level : 0;
      if (level > 0) told = false;
      const indent = line.text.length - line.text.trimStart().length;
      const at = { start: line.start + indent, end: line.start + line.text.trimEnd().length };
      if (covered > 0 || at.end <= at.start || tellsChange || printed.has(row)) return;
      const setting = fenced ? sseSetting(line.text) : undefined;
      if (setting !== undefined)
        report.finding('client-setting', at, {
          group: 'settings',
          certainty: 'likely',
          evidence: ['it stands in a block that readers copy'],
          data: { words: setting },
        });
      const known = KNOWS.test(line.text) || FINDS.test(line.text);
      const [revision, health] = known || !ofMcp ? [null, null] : [REVISION.exec(line.text), HEALTH.exec(line.text)];
      for (const [kind, match] of [
        ['stated-revision', revision],
        ['health-advice', health],
      ] as const)
        if (match !== null)
          report.finding(kind, at, {
            group: 'documents',
            certainty: 'likely',
            evidence: ['nothing on the line or above it says that it is the old way'],
            data: { words: match[0].replace(/[`*]/g, '').replace(/\s+/g, ' ') },
          });
      const words = taught(line.text, forAgents);
      if (words === undefined) {
        const prose = told || !ofMcp || KNOWS.test(line.text) || FINDS.test(line.text) ? undefined : spokenOf(line.text, fenced);
        if (prose === undefined) return;
        told = true;
        report.finding('session-prose', at, {
          group: 'prose',
          certainty: 'possible',
          evidence: ['a server of this repository keeps sessions'],
          data: { words: prose.replace(/[`*]/g, '') },
        });
        return;
      }
      report.finding(forAgents ? 'agent-instruction' : 'document', at, {
        group: forAgents ? 'agents' : 'documents',
        certainty: 'likely',
        evidence: [forAgents ? 'coding agents read this file' : 'nothing on the line or above it says that it is the old way'],
        data: { words },
      });
    },
  };
};
