import { z } from 'zod';
import { Site } from '../span.js';

/**
 * A declaration, named across files: the file that declares it and its name there. Class members are `Class.member`;
 * an anonymous function is `@<start offset>`. Import provenance has already been followed.
 */
export const SymbolRef = z.object({ file: z.string(), name: z.string() }).readonly();
export type SymbolRef = z.infer<typeof SymbolRef>;

/** `file#name`, the key under which `link` joins facts. */
export const keyOf = (ref: SymbolRef): string => `${ref.file}#${ref.name}`;

/** What every fact has. */
export const at = { site: Site };
/** What facts inside of functions have. */
export const within = { /** The nearest enclosing function, `undefined` at module level. */ within: SymbolRef.optional() };
