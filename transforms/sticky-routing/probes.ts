/** Functions that look whether a server is there, by their name. */
export const CHECKS = /health|probe|(?:is|check)\w*(?:alive|ready|reachable|_up|Up$)|liveness|readiness|heartbeat|check_?(?:\w+_)?(?:service|server|status)/i;

/** The MCP route at which the source text of a URL ends: `/sse` of `f"{base}/sse"`. */
export const routeAtEnd = (source: string): string | undefined => /(\/(?:sse|mcp))\/?["'`]?$/.exec(source.trim())?.[1];
