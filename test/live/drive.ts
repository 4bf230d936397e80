import type { Peer } from './peers.js';

/** What a client does with a server, and what it must be told; the same for both eras, before and after the migration. */
export interface Script {
  /** Tools in the order of the server. */
  readonly tools: readonly string[];
  readonly calls: readonly { readonly tool: string; readonly input: Record<string, unknown>; readonly answer: string }[];
  readonly resources: readonly { readonly uri: string; readonly text: string }[];
  readonly prompts?: readonly { readonly name: string; readonly input: Record<string, string>; readonly text: string }[];
  /** A tool that reports progress, and how many reports arrive. */
  readonly progress?: { readonly tool: string; readonly input: Record<string, unknown>; readonly reports: number };
  /** A tool whose answer names its input, so that a mixed-up answer shows. */
  readonly echo: { readonly tool: string; readonly input: (index: number) => Record<string, unknown>; readonly answer: (index: number) => string };
}

/** One line for each thing that was not as the script says; empty when all was. */
export type Differences = readonly string[];

const differs = (what: string, expected: string, seen: string): Differences =>
  expected === seen ? [] : [`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(seen)}`];

/** Runs the whole script with one client. Errors of the client become differences. */
export async function drive(peer: Peer, script: Script): Promise<Differences> {
  const found: string[] = [];
  const step = async (what: string, expected: string, act: () => Promise<string>): Promise<void> => {
    const seen = await act().catch((error: unknown) => `threw ${error instanceof Error ? error.message : String(error)}`);
    found.push(...differs(`${peer.era} client, ${what}`, expected, seen));
  };
  await step('tools/list', [...script.tools].sort().join(' '), async () => [...(await peer.tools())].sort().join(' '));
  for (const { tool, input, answer } of script.calls) await step(`tools/call ${tool}`, answer, () => peer.call(tool, input));
  for (const { uri, text } of script.resources) await step(`resources/read ${uri}`, text, () => peer.read(uri));
  for (const { name, input, text } of script.prompts ?? []) await step(`prompts/get ${name}`, text, () => peer.prompt(name, input));
  const { progress } = script;
  if (progress) {
    let reports = 0;
    await step(`progress of ${progress.tool}`, String(progress.reports), async () => {
      await peer.call(progress.tool, progress.input, () => reports++);
      return String(reports);
    });
  }
  return found;
}

/** Calls the echo tool `times` times at once, spread over the clients; every answer must belong to its question. */
export async function driveConcurrently(peers: readonly Peer[], { echo }: Script, times = 50): Promise<Differences> {
  const answers = await Promise.all(
    Array.from({ length: times }, async (_, index) => {
      const peer = peers[index % peers.length];
      if (!peer) return [];
      const seen = await peer.call(echo.tool, echo.input(index)).catch((error: unknown) => `threw ${error instanceof Error ? error.message : String(error)}`);
      return differs(`${peer.era} client, concurrent call ${index} of ${echo.tool}`, echo.answer(index), seen);
    }),
  );
  return answers.flat();
}
