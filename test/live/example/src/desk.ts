import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ErrorCode, McpError, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { bookAt, copiesOn, findBooks, placeHold, shelves } from './catalogue.js';

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** One desk for one connection. */
export function openDesk(): McpServer {
  const server = new McpServer({ name: 'loan-desk', version: '3.2.0' }, { instructions: 'Shelfmarks look like NAT-112.' });

  server.registerTool(
    'find_book',
    { title: 'Find a book', description: 'Searches title and author', inputSchema: { words: z.string().min(1) } },
    async ({ words }) => {
      const found = findBooks(words);
      return say(found.length === 0 ? 'Nothing found.' : found.map(book => `${book.shelfmark} ${book.title} (${book.copies} in)`).join('\n'));
    }
  );

  // The oldest tool we have; the kiosk firmware calls it by this exact name.
  server.tool('place_hold', 'Puts a library card on the waiting list of a book', { shelfmark: z.string(), card: z.string() }, async ({ shelfmark, card }) => {
    if (!bookAt(shelfmark)) throw new McpError(ErrorCode.InvalidParams, `No book has the shelfmark ${shelfmark}`);
    return say(`${shelfmark}: position ${placeHold(shelfmark, card)}`);
  });

  server.registerTool(
    'take_inventory',
    { description: 'Counts the copies on every shelf and reports each shelf as it is done' },
    async (extra): Promise<CallToolResult> => {
      const all = shelves();
      let copies = 0;
      for (const [index, shelf] of all.entries()) {
        copies += copiesOn(shelf);
        const progressToken = extra._meta?.progressToken;
        if (progressToken !== undefined) {
          await extra.sendNotification({
            method: 'notifications/progress',
            params: { progressToken, progress: index + 1, total: all.length, message: `shelf ${shelf}` }
          });
        }
      }
      return say(`${copies} copies on ${all.length} shelves`);
    }
  );

  server.registerResource('opening-hours', 'library://opening-hours', { title: 'Opening hours', mimeType: 'text/plain' }, async uri => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Tuesday to Saturday, 10:00 to 18:00' }]
  }));

  return server;
}
