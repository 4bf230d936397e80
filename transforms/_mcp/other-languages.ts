import type { FactSource } from '../../src/core/index.js';

/**
 * How programs of other languages name their MCP SDK. No front end reads them; the names make their files and packages known, so that a
 * server in Go is reported as not analysed instead of as no MCP code. Sources: the READMEs of the official SDKs (go-sdk, csharp-sdk,
 * rust-sdk, java-sdk, kotlin-sdk, php-sdk, ruby-sdk) and of the frameworks that are not theirs (mcp-go, Spring AI, Quarkus, Laravel, FastMCP for Ruby).
 */
export const otherLanguages: FactSource = {
  id: 'other-languages',
  literals: {
    strong: [],
    weak: [],
    // Every file that is not TypeScript is searched for these.
    python: {
      strong: [
        'modelcontextprotocol/go-sdk',
        'mark3labs/mcp-go',
        'using ModelContextProtocol',
        'AddMcpServer(',
        '.MapMcp(',
        'rmcp::',
        'rust_mcp_sdk',
        'io.modelcontextprotocol.',
        'springframework.ai.mcp',
        'quarkiverse.mcp',
        'Laravel\\Mcp',
        'PhpMcp\\',
        'use Mcp\\',
        'MCP::Server',
        'FastMcp::',
      ],
      weak: [],
    },
  },
  detect: {},
};
