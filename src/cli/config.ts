import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { lilconfigSync } from 'lilconfig';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { z } from 'zod';
import { lineStarts, positionAt } from '../core/index.js';
import { UsageProblem } from './errors.js';

const List = z.array(z.string().min(1));

/** What `unsession.config.json` may hold: the options that a repository decides once. The command line wins over it. */
export const Config = z.strictObject({
  $schema: z.string().optional(),
  only: List.optional(),
  skip: List.optional(),
  include: List.optional(),
  exclude: List.optional(),
  milestone: z.enum(['sdk', 'entry', 'all']).optional(),
  legacy: z.enum(['auto', 'stateless', 'sessionful', 'separate', 'none']).optional(),
  safety: z.enum(['safe', 'review']).optional(),
  failOn: z.enum(['error', 'warning', 'note', 'never']).optional(),
  includeTests: z.boolean().optional(),
  baseline: z.string().optional(),
  sunset: z.string().optional(),
  owner: z.string().optional(),
  /** Accepted refusals: id to reason. */
  acceptRisk: z.record(z.string(), z.string().min(1)).optional(),
  /** Folder with templates of one's own, laid over ours by name. */
  templates: z.string().optional(),
});
export type Config = z.infer<typeof Config>;

/** Files that are looked for, nearest folder first. All are JSON: a configuration is data and is never run. */
const PLACES = ['unsession.config.json', '.unsessionrc', '.unsessionrc.json', 'package.json'];

export interface LoadedConfig {
  readonly config: Config;
  /** The file it came from; paths in it are relative to its folder. */
  readonly file: string | undefined;
}

/**
 * The configuration for a root: the named file, or the first that is found from the root up to the top of the work tree.
 * @throws UsageProblem that names file, line and reason
 */
export function loadConfig(root: string, top: string, named: string | undefined, workingDirectory: string): LoadedConfig {
  if (named !== undefined) {
    const file = resolve(workingDirectory, named);
    return { config: validate(parseJson(file, read(file)), file), file };
  }
  const search = lilconfigSync('unsession', { searchPlaces: PLACES, stopDir: top, cache: false, loaders: { '.json': parseJson, noExt: parseJson } });
  const found = search.search(root);
  return found ? { config: validate(found.config, found.filepath), file: found.filepath } : { config: {}, file: undefined };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageProblem(`${shown(file)} cannot be read; --config takes a JSON file`);
  }
}

/** JSON with comments and trailing commas. */
function parseJson(file: string, text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  const first = errors[0];
  // A broken package.json is the business of the scan, not of the search for a configuration.
  if (first && !file.endsWith('package.json')) {
    const { line } = positionAt(lineStarts(text), first.offset);
    throw new UsageProblem(`${shown(file)}:${String(line)} is not JSON (${printParseErrorCode(first.error)}); a configuration is JSON data and is never run`);
  }
  return value;
}

function validate(value: unknown, file: string): Config {
  const parsed = Config.safeParse(value);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map((issue) => `${issue.path.length > 0 ? `"${issue.path.join('.')}": ` : ''}${issue.message}`);
  throw new UsageProblem(`${shown(file)}: ${reasons.join('; ')}. Known keys: ${Object.keys(Config.shape).join(', ')}`);
}

const shown = (file: string): string => {
  const below = relative(process.cwd(), file);
  return below.startsWith('..') ? file : below;
};
