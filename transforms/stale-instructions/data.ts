import type { Detector } from '../../src/core/index.js';
import type { Kind } from './text.js';

/** Settings files of clients and editors that list MCP servers. */
const SETTINGS =
  /(?:^|\/)(?:\.?mcp|claude_desktop_config|mcp[-_]?(?:config|settings|servers))\.json$|(?:^|\/)\.(?:vscode|cursor|gemini|windsurf)\/(?:mcp|settings)\.json$/i;

/** Servers of a client that it is told to reach by HTTP+SSE. */
export const data: Detector<'data', Kind> = (file, report) => ({
  Document(document) {
    if (!SETTINGS.test(file.path)) return;
    document.each((path, value) => {
      const key = path.at(-1);
      const inList = path.some((part) => part === 'mcpServers' || part === 'servers' || part === 'context_servers');
      if (!inList || typeof value !== 'string') return;
      const chooses = (key === 'type' || key === 'transport') && value === 'sse';
      const names = (key === 'url' || key === 'serverUrl') && /\/sse\/?$/.test(value);
      const span = chooses || names ? document.spanOf(path) : undefined;
      if (span)
        report.finding('client-setting', span, {
          group: 'settings',
          certainty: 'likely',
          evidence: ['it stands in the list of MCP servers of a client'],
          data: { words: `${String(key)}: ${value}` },
        });
    });
  },
});
