import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { constantOf, declarationOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { calledMember, nameText, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';

const SETTERS: ReadonlySet<string> = new Set(['setHeader', 'set', 'header', 'append', 'writeHead']);

/** ISO day of an HTTP date or an ISO date; `undefined` for anything else. RFC 8594: `Sunset` is an HTTP date. */
export function dayOf(value: string): string | undefined {
  const time = /^\w{3}, \d{2} \w{3} \d{4}|^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}

/** The day of a literal, of `new Date('2027-06-30').toUTCString()`, of `new Date(Date.UTC(2027, 5, 30))`, or of a constant that is one. */
function dayIn(node: ts.Node, file: TypeScriptFile, depth = 0): string | undefined {
  const value = unwrap(node);
  const constant = constantOf(value, file);
  if (typeof constant === 'string') return dayOf(constant);
  if (depth > 4) return undefined;
  if (ts.isIdentifier(value)) {
    const declared = declarationOf(value, file);
    const made = declared?.kind === 'const' && ts.isVariableDeclaration(declared.node) ? declared.node.initializer : undefined;
    return made === undefined ? undefined : dayIn(made, file, depth + 1);
  }
  if (ts.isCallExpression(value)) {
    const receiver = receiverOf(value);
    if (receiver !== undefined && /^to(?:UTC|GMT|ISO)?String$/.test(calledMember(value) ?? '')) return dayIn(receiver, file, depth + 1);
    return value.expression.getText(file.tree) === 'Date.UTC' ? dayOfParts(value.arguments, file) : undefined;
  }
  if (!ts.isNewExpression(value) || value.expression.getText(file.tree) !== 'Date') return undefined;
  const [first, ...others] = value.arguments ?? [];
  if (first === undefined) return undefined;
  if (others.length > 0) return dayOfParts(value.arguments ?? [], file);
  return dayIn(first, file, depth + 1);
}

/** Year, month from 0, day: as `Date.UTC` takes them. */
function dayOfParts(parts: readonly ts.Expression[], file: TypeScriptFile): string | undefined {
  const [year, month = 0, day = 1] = parts.slice(0, 3).map((part) => constantOf(part, file));
  if (typeof year !== 'number' || typeof month !== 'number' || typeof day !== 'number') return undefined;
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

/** A header object spells its names like headers, or is called so; `sunset` beside `owner` and a plain day is the option of a tool. */
function isOfHeaders(property: ts.PropertyAssignment): boolean {
  if (nameText(property.name) === 'Sunset' || /^['"`]\w{3}, /.test(property.initializer.getText())) return true;
  const holder = property.parent.parent;
  return (
    property.parent.properties.some((other) => other.name !== undefined && /^(?:deprecation|link|[a-z]+-[a-z-]+)$/i.test(nameText(other.name) ?? '')) ||
    /headers/i.test(ts.isPropertyAssignment(holder) || ts.isVariableDeclaration(holder) ? holder.name.getText() : '') ||
    (ts.isCallExpression(holder) && SETTERS.has(calledMember(holder) ?? ''))
  );
}

/** `res.setHeader('Sunset', …)` and header objects with a `Sunset` member, when the date is written in the file. */
export const typescript: Detector<'typescript', 'sunset-header'> = (file, report) => {
  const tell = (node: ts.Node, value: ts.Node | undefined): void => {
    const promised = value === undefined ? undefined : dayIn(value, file);
    if (promised === undefined) return;
    report.finding('sunset-header', file.span(node), { group: 'dates', evidence: ['the header `Sunset` holds a literal date'], data: { promised } });
    report.fact({ type: 'promised-date', site: file.site(node), day: promised, medium: 'header' });
  };
  return {
    CallExpression(call) {
      const [name, value] = call.arguments;
      if (!SETTERS.has(calledMember(call) ?? '') || name === undefined) return;
      const header = constantOf(name, file);
      if (typeof header === 'string' && header.toLowerCase() === 'sunset') tell(call, value);
    },
    PropertyAssignment(property) {
      if (nameText(property.name)?.toLowerCase() === 'sunset' && ts.isObjectLiteralExpression(property.parent) && isOfHeaders(property))
        tell(property, property.initializer);
    },
  };
};
