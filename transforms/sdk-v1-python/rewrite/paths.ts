/** The path that a dotted path lies in: `mcp.types` of `mcp.types.Tool`. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

/** The last name of a dotted path: `Tool` of `mcp.types.Tool`. */
export const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
