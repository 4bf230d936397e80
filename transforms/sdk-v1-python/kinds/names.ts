import type { Kind } from '../../../src/core/index.js';
import { SILENT } from './silent.js';

/** Names of SDK v1 that moved, went, or are told by a string, and what packaging says. */
export const names = {
  'sdk-import': {
    what: 'Imports `{name}` from `{module}` of SDK v1.',
    why: 'SDK v2 does not have it there: the import fails once v2 is installed.',
    next: 'Write {target} instead.',
    impact: 'breaks',
  },
  'guarded-import': {
    what: 'Imports `{name}` in an arm that may fail: {state}.',
    why: 'Which arm runs is decided by what is installed, so renaming one of them would break the other.',
    next: 'Leave the arms as they are while both SDK lines are supported; drop the v1 arm with the last release that supports it.',
    impact: 'none',
  },
  'removed-name': {
    what: 'Uses `{name}`, which SDK v2 does not have.',
    why: 'It has no counterpart of the same shape, so no rename helps.',
    next: '{advice} Then look at what used the old name.',
    impact: 'breaks',
  },
  'dynamic-name': {
    what: 'Names `{name}` in a string ({form}).',
    why: `No import statement shows this use of the SDK. The name is gone in SDK v2, and a default or a guard hides that. ${SILENT}`,
    next: 'Change the string to {target}, or import the name where both majors have it.',
    impact: 'breaks',
  },
  'patched-name': {
    what: 'Replaces `{name}` by a mock, through its path in a string.',
    why: 'The string follows no rename: after the migration the mock replaces nothing, or the test fails to find the name.',
    next: 'Change the path together with the code that it points into.',
    impact: 'degrades',
  },
  'version-constant': {
    what: 'Uses the version constant `{name}`.',
    why: `It speaks of both eras in SDK v2: a handshake cannot negotiate 2026-07-28. ${SILENT}`,
    next: 'Use the `…HANDSHAKE…` constant where a handshake is meant.',
    impact: 'breaks',
  },
  'embedded-source': {
    what: 'Holds a program that uses SDK v1 in a string, and runs it.',
    why: 'No import of this file shows it: the program fails once v2 is installed.',
    next: 'Migrate the text like a file of its own.',
    impact: 'breaks',
  },
  requirement: {
    what: 'Asks for `mcp` with {range} ({place}), which {effect}.',
    why: 'An installation without a lock file takes the newest release that the range lets in: code for SDK v1 then fails at its first import, and code for v2 needs v2.',
    next: 'Cap it below 2 until the code has moved; then raise it to `>=2.2,<3`, in a commit of its own.',
    impact: 'breaks',
  },
  'undeclared-import': {
    what: 'Imports `{name}`, which no manifest of the package asks for.',
    why: 'It was there because SDK 1.x depends on it. SDK 2.x does not, so the import fails in a fresh environment unless something else brings it.',
    next: 'Add `{package}` to the dependencies before the SDK is raised.',
    impact: 'degrades',
  },
  'stated-range': {
    what: 'Tells readers, or an image, to install `mcp` with {range}, which {effect}.',
    why: 'The line is no manifest, so nothing raises it: whoever follows it after the migration gets SDK 1.x, or met SDK 2.x before it.',
    next: 'Change the line in the commit that raises the requirement.',
    impact: 'none',
  },
  'version-skew': {
    what: '`mcp` is asked for with {range} ({place}), and the code is written for SDK {code}.',
    why: 'The first import fails when the process starts. A pipeline that never starts the server does not notice, so such a raise is merged.',
    next: 'Raise the requirement and the code in one commit, and let the pipeline import the server once in a fresh environment.',
    impact: 'breaks',
  },
  'bot-group-major': {
    what: 'Dependabot raises majors of `mcp` together with everything else (group `{name}`).',
    why: 'A new major renames modules: its pull request is merged because nothing starts the server, or closed every week.',
    next: 'Ignore the major of `mcp` until the code has moved, or give it a group of its own; `unsession init --print dependabot` prints the rule.',
    impact: 'none',
  },
  'conflicting-pin': {
    what: 'Keeps `{name}` at {range} ({place}); SDK v2 needs {floor}.',
    why: 'No set of versions fits both: the installation fails, or keeps SDK v1 without a word.',
    next: 'Raise it together with `mcp`, and look at what its own release notes change.',
    impact: 'breaks',
  },
  'pinned-source': {
    what: 'Takes `mcp` from a place of its own ({place}): {why}.',
    why: 'No range says which SDK line that is, so it is not raised with the others.',
    next: 'Point it at a release of SDK v2 together with the code.',
    impact: 'degrades',
  },
} as const satisfies Record<string, Kind>;
