import type { VerifyReport } from '../../../src/core/index.js';
import { startReference } from '../reference-server/http.js';
import { reportOf, withServer } from './prove.js';
import { FOREIGN } from './servers.js';

/** What the official suite said of one server. */
export interface OfficialProof {
  readonly server: string;
  readonly suite: string;
  readonly revisions: readonly string[];
  readonly rows: Readonly<Record<string, number>>;
  readonly notCovered: readonly string[];
  readonly problems: readonly string[];
}

/** Rows that must have been judged: the server of the Go SDK has all fixtures of the suite, the reference server hardly any. */
const ROWS = { reference: 40, 'go, everything-server': 150 } as const;

/** Runs `verify --official` as its users do: the suite is fetched by npm. */
export async function proveOfficial(progress: (proof: OfficialProof) => void): Promise<readonly OfficialProof[]> {
  const proofs: OfficialProof[] = [];
  const add = (proof: OfficialProof): void => {
    proofs.push(proof);
    progress(proof);
  };
  const reference = await startReference({ legacy: 'stateless' });
  add(proofOf('reference', await official(reference.url)));
  await reference.kill();
  const go = FOREIGN.find((server) => server.name === 'go, everything-server');
  const command = await go?.prepare();
  if (command?.http) add(proofOf('go, everything-server', await withServer(command.http, official)));
  return proofs;
}

const official = (url: string): Promise<VerifyReport> => reportOf([url, '--official', '--only', 'CK-H01']);

function proofOf(server: keyof typeof ROWS, { official: run }: VerifyReport): OfficialProof {
  const rows: Record<string, number> = {};
  for (const row of run?.rows ?? []) rows[row.verdict] = (rows[row.verdict] ?? 0) + 1;
  const judged = (rows['pass'] ?? 0) + (rows['fail'] ?? 0) + (rows['warn'] ?? 0);
  return {
    server,
    suite: `${run?.package ?? 'none'} ${run?.version ?? ''}`.trim(),
    revisions: run?.revisions ?? [],
    rows,
    notCovered: run?.notCovered ?? [],
    problems: [
      ...(run?.rows ?? [])
        .filter((row) => row.verdict === 'fail' || row.verdict === 'inconclusive')
        .map((row) => `${row.scenario} ${row.revision} ${row.id}: ${row.verdict}, ${row.reason}`),
      ...(judged < ROWS[server] ? [`only ${String(judged)} rows were judged: ${(run?.notCovered ?? []).join(' ')}`] : []),
    ],
  };
}
