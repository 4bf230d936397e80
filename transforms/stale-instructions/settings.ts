/** The setting of a client block on one line that chooses HTTP+SSE: `"type": "sse"` with the quotes of JSON (options of a server are code), or a URL of an MCP server that ends in `/sse`. */
export function sseSetting(line: string): string | undefined {
  const type = /["'](?:type|transport)["']\s*:\s*["']sse["']/.exec(line);
  if (type !== null) return type[0];
  return /["']?(?:url|serverUrl|endpoint)["']?\s*:\s*["'](?:https?:\/\/[^"'\s]*\/sse)\/?["']/.exec(line)?.[0];
}
