/** A control line of a chart template alone on its line or lines: `{{- if .Values.sticky }}`, or a comment. */
const ALONE = /^[ \t]*(?:\{\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\}[ \t]*)+$/gm;
const INLINE = /\{\{-?[^{}]*\}\}/g;

/** Is a text a template that becomes YAML when it is rendered? */
export const isTemplate = (text: string): boolean => /\{\{-?[^}]*\}\}/.test(text);

/**
 * A template as YAML of the same length, so that ranges stay: control lines are blank, and a value keeps the letters of its expression
 * (`{{ include "mcp.name" . }}` still names MCP), because what it will be is decided elsewhere. With something written beside it
 * (`{{ include "mcp.name" . }}-postgres`) the expression names the chart alone. Both arms of a condition are there.
 */
export const unrendered = (text: string): string =>
  text
    .replace(ALONE, (lines) => lines.replace(/[^\r\n]/g, ' '))
    .replace(INLINE, (value, at: number, whole: string) =>
      value.replace(/[\w-]/.test(`${whole[at - 1] ?? ''}${whole[at + value.length] ?? ''}`) ? /[^\r\n]/g : /[^\w\r\n-]/g, '_'),
    );
