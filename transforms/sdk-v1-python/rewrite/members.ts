import { originOf } from '../../../src/languages/python/index.js';
import type { Pass } from './pass.js';
import { lastOf, parentOf } from './paths.js';
import { isSdkPath, isShaped, targetOf } from './targets.js';
import { spelledText } from './texts.js';

/** `fm.FastMCP`, `mcp.server.fastmcp.FastMCP`, `types.Content`: members of imported modules. */
export function moveMembers(pass: Pass): void {
  for (const node of pass.all('attribute')) {
    const object = node.get('object');
    const name = node.get('attribute');
    if (!object || !name) continue;
    const origin = originOf(node, pass.file);
    const whole = originOf(object, pass.file);
    if (origin?.via !== 'import' || !whole || !isSdkPath(whole.path) || isShaped(origin.path)) continue;
    if (origin.imported && pass.isDual(origin.imported)) continue;
    const target = targetOf(origin.path);
    if (!target) continue;
    if (target.kind === 'gone') {
      if (targetOf(whole.path)?.kind !== 'gone') pass.mark('removed-name', node, target.next);
      continue;
    }
    if (target.kind === 'text') {
      pass.edits.replace(node, spelledText(pass, target));
      continue;
    }
    const module = targetOf(whole.path);
    const home = module?.kind === 'moved' ? module.path : whole.path;
    if (parentOf(target.path) === home || publicHome(home, target.path)) pass.edits.replace(name, lastOf(target.path));
    else pass.edits.replace(node, pass.need(parentOf(target.path), lastOf(target.path)));
  }
}

/** Modules of SDK 2.x that offer the name as well as the module that it is imported from otherwise. */
const publicHome = (home: string, path: string): boolean =>
  path === 'mcp.server.mcpserver.MCPServer' || path === 'mcp.server.mcpserver.Context'
    ? home === 'mcp.server.mcpserver.server' || (home === 'mcp.server' && path.endsWith('MCPServer'))
    : false;
