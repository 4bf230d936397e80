import { createRequire } from 'node:module';

interface Diagnostic {
  readonly code: string | null;
  readonly message: string;
  readonly start_location?: { readonly row: number; readonly column: number };
  readonly location?: { readonly row: number; readonly column: number };
}
interface Workspace {
  check(contents: string): readonly Diagnostic[];
}
interface Ruff {
  readonly Workspace: new (options: unknown, encoding: number) => Workspace;
  readonly PositionEncoding?: Readonly<Record<string, number>>;
}

let workspace: Workspace | undefined;

/** A clean tree is no syntax check, so output goes through a real parser. It takes seconds to start, so it waits until it is needed. */
function ruff(): Workspace {
  if (!workspace) {
    const require = createRequire(import.meta.url);
    const library = require('@astral-sh/ruff-wasm-nodejs') as Ruff;
    workspace = new library.Workspace({ 'target-version': 'py314', lint: { select: [] } }, library.PositionEncoding?.['Utf16'] ?? 1);
  }
  return workspace;
}

/** The first syntax fault of a text, by the rules of the newest Python; `undefined` when it has none. */
export function syntaxFault(text: string): { readonly line: number; readonly message: string } | undefined {
  const [first] = ruff().check(text);
  if (!first) return undefined;
  return { line: (first.start_location ?? first.location)?.row ?? 1, message: first.message };
}
