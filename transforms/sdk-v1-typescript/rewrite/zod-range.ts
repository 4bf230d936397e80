import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { isBelow, lowestVersion } from '../ranges.js';
import { namesZod3, registersSchema, usesZod, zodProblems } from '../zod.js';
import type { Todo } from './markers.js';

/** What becomes of the zod range of one package. */
export type ZodVerdict =
  /** No schema reaches the SDK, or the range is high enough. */
  | {
      readonly raise: false;
      readonly todos: readonly Todo[];
      readonly note?: string;
      /** The schemas that are registered are those of zod 3, for this reason. */ readonly stays3?: boolean;
      readonly reason?: string;
    }
  | { readonly raise: true; readonly todos: readonly []; readonly note: string; readonly stays3?: false; readonly reason?: string };

/**
 * zod is raised only when a schema reaches an SDK registration and every use in the package is proved to mean the same. Next to a package that is
 * built on zod 3 it stays: `tools/list` would lose the type of every schema. Then the registrations are marked.
 * @param range what counts for the package (`zodRange`)
 * @param built packages on zod that it uses (`zodKin`)
 */
export function judgeZod(range: string | undefined, built: readonly string[], files: readonly TypeScriptFile[]): ZodVerdict {
  const registering = files.filter(registersSchema);
  const users = files.filter(usesZod);
  if (registering.length === 0 || (users.length === 0 && range === undefined)) return { raise: false, todos: [] };
  const version = range === undefined ? undefined : lowestVersion(range);
  if (range !== undefined && version && !isBelow(range, 4, 2)) return { raise: false, todos: [] };
  const on4 = version?.[0] === 4;
  const kin = on4 ? [] : built;
  const old = users.filter(namesZod3);
  const problems = on4 ? [] : users.flatMap((file) => zodProblems(file).map((problem) => ({ file, ...problem })));
  if (kin.length === 0 && problems.length === 0 && old.length === 0) {
    return {
      raise: true,
      todos: [],
      note: `zod is raised ${range === undefined ? '' : `from ${range} `}to ^4.2.0: SDK v2 reads the JSON Schema of a schema from it. Every use of zod in the package is on the list of what did not change. In \`tools/list\` schemas lose \`additionalProperties: false\`, and integers, e-mail addresses and times gain bounds or a pattern.`,
    };
  }
  const reason =
    kin.length > 0
      ? `\`${kin.join('`, `')}\` is built on zod 3`
      : old.length > 0
        ? '`zod/v3` is imported by name'
        : 'not every use of zod is proved to mean the same in zod 4';
  const text = `schemas that are registered here must come from zod 4.2 or later (with zod 3 SDK v2 fails \`tools/list\`). The range stays because ${reason}.`;
  const todos: Todo[] = registering.flatMap((file) => {
    const node = file.tree.statements.find((statement) => /register(Tool|Prompt)|\.(tool|prompt)\(/.exec(statement.getText(file.tree)) !== null) ?? file.tree;
    return [{ file, node, kind: 'zod-range', text }];
  });
  for (const { file, node, why } of problems.slice(0, 20)) todos.push({ file, node, kind: 'zod-range', text: `check before zod is raised to 4.2: ${why}.` });
  return { raise: false, todos, stays3: !on4, reason };
}
