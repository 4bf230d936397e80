import { type Fact, type Inventory, type Reason, factsOf } from '../../src/core/index.js';

/**
 * A route that answers on a path already, by its own path or by a pattern that matches it. Which of both moves is asked, not guessed.
 * Routes that take every path (`*`) are none: they stand behind all others.
 */
export function takenBy(path: string, folder: string, facts: readonly Fact[], inventory: Inventory): Reason | undefined {
  const own = (file: string): boolean => {
    const folders = inventory.packages.map((entry) => entry.folder).filter((name) => name === '.' || file.startsWith(`${name}/`));
    return folders.sort((a, b) => b.length - a.length)[0] === folder;
  };
  const route = factsOf(facts, 'route').find((fact) => fact.path !== undefined && matches(fact.path, path) && own(fact.site.file));
  return route === undefined
    ? undefined
    : {
        why: `${path} is taken by another route (${route.site.file}:${String(route.site.line)})`,
        next: `Either give that route another path and run this again, or add the modern endpoint by hand on a path of its own, e.g. ${path}/v2, and tell clients.`,
        sites: [route.site],
      };
}

/** `/mcp/:id` and `/mcp/{id}` match `/mcp/v2`; a path that is a pattern in any other way is compared as a text. */
function matches(pattern: string, path: string): boolean {
  if (pattern === path) return true;
  if (!/[:{[]/.test(pattern)) return false;
  const [theirs, ours] = [segments(pattern), segments(path)];
  return theirs.length === ours.length && theirs.every((part, index) => part === ours[index] || /^(?::[\w?]+(?:\([^)]*\))?|\{[^}]+\}|\[[^\]]+\])$/.test(part));
}

const segments = (path: string): readonly string[] => path.replace(/\/$/, '').split('/');
