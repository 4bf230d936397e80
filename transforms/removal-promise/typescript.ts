import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { constantOf } from '../../src/languages/typescript/index.js';
import { calledMember, nameText } from '../_mcp/typescript/nodes.js';

const SETTERS: ReadonlySet<string> = new Set(['setHeader', 'set', 'header', 'append', 'writeHead']);

/** ISO day of an HTTP date or an ISO date; `undefined` for anything else. RFC 8594: `Sunset` is an HTTP date. */
export function dayOf(value: string): string | undefined {
  const time = /^\w{3}, \d{2} \w{3} \d{4}|^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
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

/** `res.setHeader('Sunset', …)` and header objects with a `Sunset` member, when the date is a literal. */
export const typescript: Detector<'typescript', 'sunset-header'> = (file, report) => {
  const tell = (node: ts.Node, value: ts.Node | undefined): void => {
    const constant = value === undefined ? undefined : constantOf(value, file);
    const promised = typeof constant === 'string' ? dayOf(constant) : undefined;
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
