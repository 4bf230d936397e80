/** Kind of project that the official codemod is told: it decides where shared types go. */
export type ProjectType = 'client' | 'server' | 'both';
export const PROJECT_TYPES: readonly ProjectType[] = ['client', 'server', 'both'];

/** Where one v1 export goes; the field meanings are documented at `SdkExport` in `transforms/_mcp/sdk-table.ts`. */
export interface Entry {
  kind: 'value' | 'type';
  to?: string | Partial<Record<ProjectType, string>>;
  name?: string | Partial<Record<ProjectType, string>>;
  removed?: true;
  missing?: true;
}

/** The whole of `v1-to-v2.json`. */
export interface Table {
  about: string;
  codemod: string;
  sdk: string;
  v2: Record<string, { version: string; values: string[]; types: string[] }>;
  modules: Record<string, Record<string, Entry>>;
  aliases: Record<string, string>;
  unmapped: string[];
  methods: Record<string, string>;
  errorCodes: Record<string, string>;
}

/** Package of the 1.x SDK. */
export const V1 = '@modelcontextprotocol/sdk';
