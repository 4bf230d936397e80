import type { ts } from 'ts-morph';
import type { FileChange, Need, Reason } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import type { RequestForm } from '../served.js';

/** A place beside an old route where a new one can stand, proved from the file that registers the old one. */
export interface Beside {
  readonly ok: true;
  /** Path of the new endpoint, as clients ask for it. */
  readonly path: string;
  /** Statement in front of which the new entry is declared; `undefined` when it stands in a file of its own. */
  readonly place: ts.Statement | undefined;
  /** What only requests of the old path run: the new endpoint passes it by. */
  readonly passed: readonly ts.Node[];
  /** Tests of the old path that get one of the new path beside them, where paths are told apart by code. */
  readonly selectors: readonly ts.Node[];
  /** Statements of the same function that run for both, in front of the new endpoint. */
  readonly shared: readonly ts.Statement[];
  /** How the new handler is handed its request, and the names of its parameters. */
  readonly form: RequestForm;
  readonly names: readonly (string | undefined)[];
  /** Middleware that is said again for the new path: the old one keeps its own. */
  readonly repeated: readonly ts.Node[];
  readonly write: (lines: NewRoute) => Written;
}

/** The texts of a new route. */
export interface NewRoute {
  /** Lines of the entry, in front of the route. */
  readonly declared: readonly string[];
  /** Statements that serve one request. */
  readonly handled: readonly string[];
  /** Comment on what stays for old clients. */
  readonly mark: string;
  /** Further options of the route, where the framework has some. */
  readonly options?: readonly string[];
  /** The text of middleware that is said again for the new path. */
  readonly amended?: (node: ts.Node) => string;
}

/** A new route as changes. */
export interface Written {
  readonly changes: readonly FileChange[];
  /** The file that the entry is declared in: it imports what the entry needs. */
  readonly file: string;
  readonly needs: readonly Need[];
}

/** Why no route can stand beside the old one. */
export interface NoBeside {
  readonly ok: false;
  readonly reason: Reason;
}

export const noBeside = (why: string, next: string, file: TypeScriptFile, ...nodes: readonly ts.Node[]): NoBeside => ({
  ok: false,
  reason: { why, next, sites: nodes.map((node) => file.site(node)) },
});
