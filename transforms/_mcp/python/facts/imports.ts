import type { FactSource } from '../../../../src/core/index.js';
import { argumentsOf, calledName, importedNames, type PythonFile } from '../../../../src/languages/python/index.js';
import { hasOwnPackage, nodesOf } from '../nodes.js';
import { isSdkPath } from '../paths.js';
import { constructionsOf } from '../servers.js';

/** Modules and names that only SDK 2.x has. */
const SECOND =
  /^mcp\.server\.mcpserver\b|^mcp\.(?:server|shared)\.subscriptions\b|^mcp_types\b|^mcp\.(?:MCPServer|Client|MCPError)$|\.MCPError$|^mcp\.server\.(?:MCPServer|ServerRequestContext)$|^mcp\.client\.(?:Client|ClientRequestContext)$/;

/** Low-level servers have one import on both majors: what registers their handlers tells the major, and the adapter that the SDK step writes. */
const registersAsSecond = (file: PythonFile): boolean =>
  importedNames(file).some(({ module }) => module === 'mcp_handlers' || module.endsWith('.mcp_handlers')) ||
  constructionsOf(file).some(({ call, family }) => family === 'low-level' && argumentsOf(call, file).keywords.some(({ name }) => name.startsWith('on_'))) ||
  nodesOf(file, 'call').some((call) => /^add_(?:request|notification)_handler$/.test(calledName(call, file) ?? ''));

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
        const second = names.length > 0 && (paths.some((path) => SECOND.test(path)) || registersAsSecond(file));
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
