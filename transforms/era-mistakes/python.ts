import type { Detector } from '../../src/core/index.js';
import { above, isFunction, stringValue, type PyNode } from '../../src/languages/python/index.js';
import { nodesOf } from '../_mcp/python/nodes.js';
import { requestStates } from './python-state.js';
import { verdicts } from './python-verdict.js';

export type Kind = 'discover-shape' | 'listen-promise' | 'name-always' | 'verdict-kept' | 'process-key' | 'open-state' | 'state-audience';

/** What `server/discover` has to answer with. Source: the schema of 2026-07-28, `DiscoverResult`. */
const DEMANDED = ['supportedVersions', 'capabilities', 'resultType', 'ttlMs', 'cacheScope'] as const;
/** Members of the answer to `initialize`, which the answer to discovery does not have. */
const FOREIGN = ['protocolVersion', 'serverInfo'] as const;

/** Answers to discovery, header checks, verdicts about the era and request state in Python. */
export const python: Detector<'python', Kind> = (file, report) => ({
  end() {
    requestStates(file, report);
    verdicts(file, report);
    if (file.text.includes('server/discover')) for (const node of nodesOf(file, 'dictionary')) discovery(node);
    if (/mcp-name/i.test(file.text)) for (const kind of ['tuple', 'list', 'set']) for (const node of nodesOf(file, kind)) demanded(node);

    function discovery(dictionary: PyNode): void {
      const pairs = new Map(
        dictionary.children.flatMap((pair) => {
          const key = pair.get('key');
          const name = key && stringValue(key, file);
          return name === undefined ? [] : [[name, pair] as const];
        }),
      );
      const capabilities = pairs.get('capabilities');
      if (!capabilities || (!pairs.has('protocolVersion') && !pairs.has('supportedVersions') && !pairs.has('serverInfo'))) return;
      const branch = above(dictionary, (node) => node.kind === 'if_statement' || node.kind === 'case_clause' || isFunction(node));
      if (!branch || !/server\/discover|discover/.test(file.textOf(branch).slice(0, 400))) return;
      const missing = DEMANDED.filter((name) => !pairs.has(name));
      const foreign = FOREIGN.filter((name) => pairs.has(name));
      if (missing.length > 0 || foreign.length > 0) {
        const parts = [
          ...(missing.length > 0 ? [`lacks ${missing.map((name) => `\`${name}\``).join(', ')}`] : []),
          ...(foreign.length > 0 ? [`has ${foreign.map((name) => `\`${name}\``).join(' and ')} at its top level`] : []),
        ];
        report.finding('discover-shape', dictionary, { group: 'discovery in Python', data: { faults: parts.join(' and ') } });
      }
      if (/["']listChanged["']\s*:\s*True/.test(file.textOf(capabilities)) && !file.text.includes('subscriptions/listen'))
        report.finding('listen-promise', capabilities, { group: 'discovery in Python' });
    }

    /** A list of headers that is demanded of each request: it names the method header and the name header, and is compared with what came. */
    function demanded(list: PyNode): void {
      const names = list.children.map((child) => stringValue(child, file)?.toLowerCase());
      if (!names.includes('mcp-name') || !names.includes('mcp-method')) return;
      const target = list.parent?.kind === 'assignment' ? list.parent.get('left') : undefined;
      const name = target && file.textOf(target);
      const uses = name === undefined ? [list] : nodesOf(file, 'identifier').filter((node) => node !== target && file.textOf(node) === name);
      const use = uses.find((node) => {
        const fn = above(node, (at) => isFunction(at));
        return fn !== undefined && /not in [\w.]*headers\b/.test(file.textOf(fn)) && !/tools\/call|resources\/read|prompts\/get/.test(file.textOf(fn));
      });
      if (use) report.finding('name-always', list, { group: 'headers in Python', related: [file.site(use, 'demanded here')] });
    }
  },
});
