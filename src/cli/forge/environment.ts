import { UsageProblem } from '../errors.js';
import type { World } from '../world.js';

/** A pull request, and how to speak to the forge that holds it. */
export interface PullRequest {
  /** Address of the API without a slash at its end. */
  readonly api: string;
  /** `owner/name` */
  readonly repository: string;
  readonly number: number;
  readonly token: string;
}

/** Hosts to which a token may go without TLS: a proxy or a test on this machine. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The pull request that GitHub Actions runs for, from the variables that it sets.
 * @param asked number of `--pull`, which wins over `GITHUB_REF`
 * @throws UsageProblem that names the variable which is missing or wrong
 */
export function pullRequestOf(env: World['env'], asked: number | undefined): PullRequest {
  const token = env.GITHUB_TOKEN ?? '';
  if (token === '')
    throw new UsageProblem('--post needs a token in GITHUB_TOKEN; in GitHub Actions: env: GITHUB_TOKEN: ${{ github.token }}, with "pull-requests: write"');
  const repository = env.GITHUB_REPOSITORY ?? '';
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new UsageProblem('--post needs GITHUB_REPOSITORY, "owner/name"');
  const fromRef = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1];
  const number = asked ?? (fromRef === undefined ? undefined : Number(fromRef));
  if (number === undefined) throw new UsageProblem('--post needs the pull request: --pull N, or GITHUB_REF of the form refs/pull/N/merge');
  return { api: apiOf(env.GITHUB_API_URL), repository, number, token };
}

function apiOf(address: string | undefined): string {
  const text = address === undefined || address === '' ? 'https://api.github.com' : address;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new UsageProblem(`GITHUB_API_URL "${text}" is not an http or https URL`);
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) throw new UsageProblem(`GITHUB_API_URL "${text}" would send the token without TLS; use https`);
  return text.replace(/\/+$/, '');
}
