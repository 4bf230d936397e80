import type { FactSource } from '../../../../src/core/index.js';
import { importedNames } from '../../../../src/languages/python/index.js';
import { hasOwnPackage } from '../nodes.js';
import { isSdkPath } from '../paths.js';

/** Modules and names that only SDK 2.x has. */
const SECOND =
  /^mcp\.server\.mcpserver\b|^mcp_types\b|^mcp\.(?:MCPServer|Client|MCPError)$|\.MCPError$|^mcp\.server\.(?:MCPServer|ServerRequestContext)$|^mcp\.client\.(?:Client|ClientRequestContext)$/;

/** `sdk-import`: every import of the SDK. What both majors have counts for the major that the rest of the file shows. */
export const pythonSdkImports: FactSource = {
  id: 'python-sdk-imports',
  literals: { strong: [], weak: [], python: { strong: ['mcp.server', 'mcp.client', 'mcp.types', 'mcp.shared', 'from mcp import'], weak: [] } },
  detect: {
    python: (file, report, around) => ({
      end() {
        if (hasOwnPackage(file, around)) return;
        const names = importedNames(file).filter(({ module }) => isSdkPath(module) || module === 'mcp_types');
        const paths = names.map(({ form, module, name }) => (form === 'from' ? `${module}.${name}` : module));
        const second = paths.some((path) => SECOND.test(path));
        names.forEach((imported, index) => {
          const path = paths[index] ?? imported.module;
          report.fact({
            type: 'sdk-import',
            site: file.site(imported.statement),
            module: imported.module,
            sdk: SECOND.test(path) || (second && !/^mcp\.server\.fastmcp\b/.test(path)) ? 2 : 1,
            form: imported.guard?.kind === 'type-checking' ? 'type' : 'import',
            names: imported.form === 'from' ? [imported.name] : [],
          });
        });
      },
    }),
  },
};
