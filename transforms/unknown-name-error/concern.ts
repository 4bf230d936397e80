import { defineConcern } from '../../src/core/index.js';
import { rewrite } from './rewrite.js';
import { typescript } from './typescript.js';

/** Handlers that answer an unknown tool, prompt or resource with a plain error, which goes out as an internal error of the server, or with a code that says something else. */
export const concern = defineConcern({
  id: 'unknown-name-error',
  title: 'Unknown names reported as internal errors',
  spec: ['server/resources#error-handling', 'server/tools#error-handling'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 5, each: 3 },
  kinds: {
    'missing-resource': {
      what: 'A resource that does not exist is reported by a plain `Error`.',
      why: 'It goes out with the code -32603, an internal error; the revision asks for -32602 with the URI in `data`.',
      next: 'Throw a `ResourceNotFoundError` with the URI.',
      impact: 'degrades',
    },
    'unknown-tool': {
      what: 'A tool that does not exist is reported by {by}.',
      why: 'It goes out with the code {code}, a fault of the server or a method that it lacks, which gateways retry, alert on or remember; the revision asks for -32602.',
      next: 'Throw a `ProtocolError` with the code `InvalidParams`.',
      impact: 'degrades',
    },
    'unknown-prompt': {
      what: 'A prompt that does not exist is reported by {by}.',
      why: 'It goes out with the code {code}, a fault of the server or a method that it lacks, which gateways retry, alert on or remember; the revision asks for -32602.',
      next: 'Throw a `ProtocolError` with the code `InvalidParams`.',
      impact: 'degrades',
    },
  },
  literals: {
    strong: ['@modelcontextprotocol/'],
    weak: ['resources/read', 'tools/call', 'prompts/get', 'ReadResourceRequestSchema', 'CallToolRequestSchema', 'GetPromptRequestSchema'],
  },
  detect: { typescript },
  rewrite,
  closes: ['CK-H47', 'CK-H48'],
});
