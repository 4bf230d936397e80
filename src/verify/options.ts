import type { SecureContextOptions } from 'node:tls';
import type { RunSuite } from './official/suite.js';
import type { CheckClass, ToolRole } from '../core/check.js';
import type { LaneMode } from '../core/check-step.js';
import type { CheckResult, VerifyReport } from '../core/verify-report.js';

/** Who is judged. A stdio or client command is started without a shell. */
export type Target =
  | { readonly transport: 'http'; readonly url: string }
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
    }
  | {
      readonly transport: 'client';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
    };

/** A tool that may be called, with the arguments to use. The user answers for its effects. */
export interface AllowedTool {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Roles that two trial calls cannot show, or that the user expects: a tool said to be `eliciting` that does not elicit is a failure. */
  readonly does?: readonly ToolRole[];
}

/** Control over the server under test, for checks that stop or restart it. */
export interface ServerControl {
  /** Asks the server to end gracefully, as SIGTERM does. */
  readonly stop?: () => Promise<void>;
  /** Ends the process and starts it again at the same address. */
  readonly restart?: () => Promise<void>;
  /** Changes the list of tools. */
  readonly change?: () => Promise<void>;
}

export type Progress =
  | { readonly kind: 'survey'; readonly text: string }
  | { readonly kind: 'planned'; readonly checks: number }
  | { readonly kind: 'result'; readonly result: CheckResult; readonly done: number; readonly of: number };

export interface VerifyOptions {
  /** Ids such as `CK-H01`, or prefixes such as `CK-H`. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly classes?: readonly CheckClass[];
  /** What the user expects of the legacy lane; `auto` takes what is found. */
  readonly lane?: LaneMode | 'auto';
  /** Legacy Streamable HTTP endpoint, when it has its own path. */
  readonly legacyUrl?: string;
  /** Legacy HTTP+SSE stream endpoint. */
  readonly sseUrl?: string;
  /** A second instance of the same server. */
  readonly replica?: string;
  /** An origin of the server's allow-list; default: the origin of the address itself. */
  readonly origin?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly tls?: SecureContextOptions & { readonly rejectUnauthorized?: boolean };
  readonly allowTools?: readonly AllowedTool[];
  /** Also call tools that say `readOnlyHint: true` and need no arguments. */
  readonly acceptReadOnly?: boolean;
  /** The legacy routes are past their removal date. */
  readonly retired?: boolean;
  /** Address of a route that balancers ask for health. */
  readonly healthUrl?: string;
  /** Milliseconds for one answer. */
  readonly timeout?: number;
  /** Milliseconds for the whole run. */
  readonly totalTimeout?: number;
  readonly maxBytes?: number;
  readonly concurrency?: number;
  /** Multiplies all waiting times of the checks; a reference server with a scaled clock uses the same factor. */
  readonly pace?: number;
  readonly baseline?: VerifyReport;
  readonly control?: ServerControl;
  /** Runs the official suite beside our checks. */
  readonly official?: RunSuite;
  readonly toolVersion?: string;
  readonly progress?: (event: Progress) => void;
  readonly signal?: AbortSignal;
}

/** Options with their defaults. */
export interface Settings extends VerifyOptions {
  readonly classes: readonly CheckClass[];
  readonly timeout: number;
  readonly totalTimeout: number;
  readonly maxBytes: number;
  readonly concurrency: number;
  readonly pace: number;
  readonly allowTools: readonly AllowedTool[];
}

export const settle = (options: VerifyOptions): Settings => ({
  ...options,
  classes: options.classes ?? ['quick'],
  timeout: options.timeout ?? 10_000,
  totalTimeout: options.totalTimeout ?? 300_000,
  maxBytes: options.maxBytes ?? 4 * 1024 * 1024,
  concurrency: options.concurrency ?? 4,
  pace: options.pace ?? 1,
  allowTools: options.allowTools ?? [],
});
