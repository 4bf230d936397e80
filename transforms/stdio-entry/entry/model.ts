import type { ts } from 'ts-morph';
import type { ImportNeed, Reason, SymbolRef, TextEdit } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';

/** How one `connect` becomes `serveStdio`, proved for the file that it stands in. */
export interface EntryPlan {
  readonly ok: true;
  readonly edits: readonly TextEdit[];
  readonly imports: readonly ImportNeed[];
  /** What a person has to decide; not empty makes the rewrite a scaffold. */
  readonly todo: readonly string[];
  readonly notes: readonly string[];
  /** A function of another file that must be known to build servers and to do nothing else. */
  readonly builder?: SymbolRef | undefined;
  /** Member of what that function returns that is the server. */
  readonly member?: string | undefined;
  /** The server stays exported: nobody else may register on it. */
  readonly exported?: SymbolRef | undefined;
}

/** Why a `connect` stays as it is. */
export interface NoEntryPlan {
  readonly ok: false;
  readonly reason: Reason;
}

/** The factory of an entry, before the call that takes it is written. */
export interface Builder {
  readonly ok: true;
  /** What `serveStdio` is handed, e.g. `createMcpServer` or `() => buildServer(config)`. */
  readonly expression: string;
  readonly edits: readonly TextEdit[];
  readonly todo: readonly string[];
  readonly notes: readonly string[];
  readonly builder?: SymbolRef | undefined;
  readonly member?: string | undefined;
  readonly exported?: SymbolRef | undefined;
  /** Calls that close the server and have to close the entry. */
  readonly closings: readonly ts.CallExpression[];
  /** The old server lives on beside the entry, so a closing closes both. */
  readonly keeps: boolean;
  /** A node in whose scope all uses of the server stand: a variable for the entry is seen by all of them there. */
  readonly home: ts.Statement | ts.ClassElement;
}

/** A plan that is not made, with the places that stand in its way. */
export const stop = (why: string, next: string, file: TypeScriptFile, ...nodes: readonly ts.Node[]): NoEntryPlan => ({
  ok: false,
  reason: { why, next, sites: nodes.map((node) => file.site(node)) },
});

/** Advice where the construction has to be moved by a person. */
export const BY_HAND = 'Move the construction and its registrations into a function, hand that function to `serveStdio`, and keep shared data outside of it.';
