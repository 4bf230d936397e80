import { valueAt } from './path.js';

const WHOLE = /^\{([\w.-]+(?:\[[^\]]*\])?)\}$/;
const PART = /\{([a-z][\w.-]*)\}/g;

/** Variables of a check: nested records, addressed by dotted paths. */
export type Variables = Readonly<Record<string, unknown>>;

/** A variable that the check names and the run does not have. */
export class MissingVariable extends Error {
  constructor(readonly variable: string) {
    super(`The check names {${variable}}, which is not known for this peer.`);
  }
}

/** Placeholder of a member that is left out of the message when the variable is not set: `{?name}`. */
const OPTIONAL = /^\{\?([\w.-]+)\}$/;

/**
 * Replaces `{name}` in every string of a value, keys included. A string that is only one placeholder becomes the value itself, with its
 * type; `{?name}` removes the member when the variable is not set;
 * the key `...` spreads a record.
 * @throws MissingVariable
 */
export function fillIn<T>(value: T, variables: Variables): T {
  return replace(value, variables) as T;
}

function replace(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return replaceText(value, variables);
  if (Array.isArray(value)) return value.map((entry) => replace(entry, variables));
  if (typeof value !== 'object' || value === null) return value;
  const filled: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (key === '...') {
      Object.assign(filled, replace(entry, variables));
      continue;
    }
    const optional = typeof entry === 'string' ? OPTIONAL.exec(entry)?.[1] : undefined;
    if (optional === undefined) filled[key.includes('{') ? String(replaceText(key, variables)) : key] = replace(entry, variables);
    else {
      const found = valueAt(variables, optional);
      if (found !== undefined) filled[key] = found;
    }
  }
  return filled;
}

function replaceText(text: string, variables: Variables): unknown {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) return known(whole, variables);
  return text.replace(PART, (_, name: string) => {
    const value = known(name, variables);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function known(name: string, variables: Variables): unknown {
  const value = valueAt(variables, name);
  if (value === undefined) throw new MissingVariable(name);
  return value;
}

/** True when the variable is set and neither false, empty text, nor an empty list. A leading `!` negates. */
export function isSet(name: string, variables: Variables): boolean {
  if (name.startsWith('!')) return !isSet(name.slice(1), variables);
  const value = valueAt(variables, name);
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== false && value !== '';
}
