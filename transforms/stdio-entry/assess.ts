import { type Assessment, type Concern, type Fact, type Finding, type WorkItem, factsOf, keyOf } from '../../src/core/index.js';
import { builtBy } from '../_mcp/factories.js';

/** Decides by what the detector proved in the file, and by what only the other files can prove. */
export function assess(item: WorkItem, known: Assessment): ReturnType<NonNullable<Concern['assess']>> {
  const own = new Set(item.findings);
  const findings = known.findings.filter((finding) => own.has(finding.fingerprint));
  if (findings.every(({ id }) => id.endsWith('/stdout-log')))
    return { remedy: 'automatic', reason: 'The process serves stdio and does nothing else, so its logs belong to stderr.' };
  for (const finding of findings) {
    const obstacle = obstacleOf(finding, known.facts);
    if (obstacle !== undefined) return { remedy: 'manual', reason: `${sentence(obstacle.why)} (${obstacle.at}).`, todo: [obstacle.next] };
  }
  const todo = [...new Set(findings.flatMap(({ data }) => (typeof data.todo === 'string' ? [data.todo] : [])))];
  if (todo.length > 0) return { remedy: 'guided', reason: 'The entry is written; the hook into the handshake needs a decision.', todo };
  return { remedy: 'automatic', reason: 'A function builds the server for each connection, and one process serves both eras.' };
}

/** What keeps a connection as it is: in its own file, or in the files that build its server. */
export function obstacleOf(finding: Finding, facts: readonly Fact[]): { readonly why: string; readonly next: string; readonly at: string } | undefined {
  const { data, related, site } = finding;
  const at = `${(related[0] ?? site).file}:${String((related[0] ?? site).line)}`;
  if (typeof data.why === 'string') return { why: data.why, next: String(data.next), at };
  if (typeof data.builder === 'string') {
    const cut = data.builder.indexOf('#');
    const name = data.builder.slice(cut + 1);
    const built = builtBy({ file: data.builder.slice(0, cut), name }, facts);
    const next = 'Export a function that builds a new server and does nothing else, and hand it to `serveStdio`.';
    if (built === undefined) return { why: `\`${name}\` is not known to build a new server each time`, next, at };
    const { factory, obstacle } = built;
    if (factory.returns === 'kept' && obstacle !== undefined) return { why: obstacle.why, next, at: `${obstacle.site.file}:${String(obstacle.site.line)}` };
    if (factory.returns === 'wrapped' && data.member !== factory.member) return { why: `\`${name}\` returns the server with other values`, next, at };
    const effect = factory.release === undefined ? factory.effects[0] : factory.site;
    if (effect !== undefined) return { why: `\`${name}\` does more than build a server, and may run twice`, next, at: `${effect.file}:${String(effect.line)}` };
  }
  if (typeof data.exported === 'string') {
    const other = factsOf(facts, 'call').find((fact) => keyOf(fact.to) === data.exported && fact.site.file !== site.file);
    if (other !== undefined)
      return {
        why: 'The server is exported, and another file uses it',
        next: 'Let that file export a function that takes the server, and call it where the server is built.',
        at: `${other.site.file}:${String(other.site.line)}`,
      };
  }
  return undefined;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
