import type { FactSource } from '../../../../src/core/index.js';
import { moduleRequests } from '../../../../src/languages/typescript/index.js';
import { sdkOf } from '../../sdk-table.js';

/** `sdk-import`: every place that names a module of the SDK, in any spelling. */
export const sdkImports: FactSource = {
  id: 'sdk-imports',
  literals: { strong: ['@modelcontextprotocol/'], weak: [] },
  detect: {
    typescript: (file, report) => ({
      end() {
        for (const request of moduleRequests(file)) {
          const sdk = sdkOf(request.specifier);
          if (sdk !== undefined)
            report.fact({ type: 'sdk-import', site: file.site(request.node), module: request.specifier, sdk, form: request.form, names: request.names });
        }
      },
    }),
  },
};
