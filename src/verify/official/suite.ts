/** The package of the official conformance suite and the version that our knowledge of it was measured with. */
export const SUITE = { name: '@modelcontextprotocol/conformance', version: '0.2.0-alpha.12' } as const;

/** One run of the suite against one address. */
export interface SuiteOrder {
  readonly url: string;
  /** Revision whose frozen list of scenarios is run. */
  readonly revision: string;
  readonly signal?: AbortSignal | undefined;
}

/** What a run left behind. */
export interface SuiteOutput {
  /** Scenario -> text of its `checks.json`. */
  readonly scenarios: ReadonlyMap<string, string>;
  /** Scenarios that the revision requires; the others are run for information. */
  readonly required: readonly string[];
  /** Why there is nothing, or not everything. */
  readonly problem?: string;
}

/** Runs the suite. Fetching it, processes and files are the caller's: the judge only reads. Never throws. */
export type RunSuite = (order: SuiteOrder) => Promise<SuiteOutput>;
