import { describe, expect, it } from 'vitest';
import { canonical, isSdkSymbol } from '../../../transforms/_mcp/canonical.js';
import { errorCodeOf, isDeepImport, isExported, isUnmapped, methodOf, modulesOf, sdkOf, targetOf, v1Module } from '../../../transforms/_mcp/sdk-table.js';

const V1 = '@modelcontextprotocol/sdk';

describe('targets of v1 exports', () => {
  it('moves a class to its package and follows renames', () => {
    expect(targetOf(`${V1}/server/mcp.js`, 'McpServer', 'server')).toEqual({
      status: 'moved',
      module: '@modelcontextprotocol/server',
      name: 'McpServer',
      kind: 'value',
    });
    expect(targetOf(`${V1}/server/streamableHttp.js`, 'StreamableHTTPServerTransport', 'server')).toMatchObject({
      module: '@modelcontextprotocol/node',
      name: 'NodeStreamableHTTPServerTransport',
    });
    expect(targetOf(`${V1}/types.js`, 'McpError', 'server')).toMatchObject({ name: 'ProtocolError' });
  });

  it('places shared types by what the project is for, and schemas in core', () => {
    expect(targetOf(`${V1}/types.js`, 'Tool', 'client')).toMatchObject({ module: '@modelcontextprotocol/client', kind: 'type' });
    expect(targetOf(`${V1}/types.js`, 'Tool', 'server')).toMatchObject({ module: '@modelcontextprotocol/server' });
    expect(targetOf(`${V1}/types.js`, 'CallToolResultSchema', 'client')).toMatchObject({ module: '@modelcontextprotocol/core', kind: 'value' });
    expect(targetOf(`${V1}/shared/protocol.js`, 'RequestHandlerExtra', 'client')).toMatchObject({ name: 'ClientContext' });
    expect(targetOf(`${V1}/shared/protocol.js`, 'RequestHandlerExtra', 'server')).toMatchObject({ name: 'ServerContext' });
  });

  it('says removed when the codemod drops a name or points it at a package that does not export it', () => {
    expect(targetOf(`${V1}/client/websocket.js`, 'WebSocketClientTransport', 'client')).toEqual({ status: 'removed', kind: 'value' });
    expect(targetOf(`${V1}/server/completable.js`, 'getCompleter', 'server')).toEqual({ status: 'removed', kind: 'value' });
    expect(targetOf(`${V1}/server/mcp.js`, 'Nothing', 'server')).toEqual({ status: 'unknown' });
    expect(targetOf(`${V1}/server/mcp.js`, 'constructor', 'server')).toEqual({ status: 'unknown' });
  });

  it('only ever names targets that the v2 packages export', () => {
    for (const name of ['McpServer', 'ResourceTemplate', 'RegisteredTool']) {
      const target = targetOf(`${V1}/server/mcp.js`, name, 'server');
      expect(target.status === 'moved' && isExported(target.module, target.name, target.kind)).toBe(true);
    }
  });
});

describe('specifiers', () => {
  it('reads every spelling of a v1 module', () => {
    for (const spelling of ['/server/mcp.js', '/server/mcp', '/dist/esm/server/mcp.js', '/dist/cjs/server/mcp.js'])
      expect(v1Module(V1 + spelling)).toBe(`${V1}/server/mcp.js`);
    expect(v1Module(`${V1}/client`)).toBe(`${V1}/client/index.js`);
    expect(v1Module('@modelcontextprotocol/server')).toBeUndefined();
  });

  it('knows modules without a counterpart and build output', () => {
    expect(isUnmapped(`${V1}/examples/shared/inMemoryEventStore.js`)).toBe(true);
    expect(isUnmapped(`${V1}/package.json`)).toBe(true);
    expect(isUnmapped(`${V1}/types.js`)).toBe(false);
    expect(isDeepImport(`${V1}/dist/esm/shared/stdio.js`)).toBe(true);
    expect(sdkOf('@modelcontextprotocol/sdk-extras')).toBeUndefined();
    expect(sdkOf('@modelcontextprotocol/server/stdio')).toBe(2);
  });

  it('tells when one v1 module splits over several packages', () => {
    expect(modulesOf(`${V1}/client/index.js`, 'client')).toEqual(['@modelcontextprotocol/client']);
    expect([...modulesOf(`${V1}/types.js`, 'server')].sort()).toEqual(['@modelcontextprotocol/core', '@modelcontextprotocol/server']);
  });
});

describe('methods and error codes', () => {
  it('gives the method of a schema and the enum of a code', () => {
    expect(methodOf('CallToolRequestSchema')).toBe('tools/call');
    expect(methodOf('ResourceUpdatedNotificationSchema')).toBe('notifications/resources/updated');
    expect(methodOf('toString')).toBeUndefined();
    expect(errorCodeOf('RequestTimeout')).toBe('SdkErrorCode.RequestTimeout');
    expect(errorCodeOf('InvalidParams')).toBe('ProtocolErrorCode.InvalidParams');
  });
});

describe('canonical names', () => {
  it('joins v1 and v2 spellings', () => {
    const v1 = canonical({ module: `${V1}/server/streamableHttp.js`, name: 'StreamableHTTPServerTransport' });
    const v2 = canonical({ module: '@modelcontextprotocol/node', name: 'NodeStreamableHTTPServerTransport' });
    expect([v1, v2]).toEqual([
      { sdk: 1, name: 'NodeStreamableHTTPServerTransport' },
      { sdk: 2, name: 'NodeStreamableHTTPServerTransport' },
    ]);
  });

  it('keeps the class and the type called ResourceTemplate apart', () => {
    expect(canonical({ module: `${V1}/types.js`, name: 'ResourceTemplate' })?.name).toBe('ResourceTemplateType');
    expect(canonical({ module: `${V1}/server/mcp.js`, name: 'ResourceTemplate' })?.name).toBe('ResourceTemplate');
  });

  it('is silent about other packages and about names that v2 does not export', () => {
    expect(canonical({ module: 'fastmcp', name: 'McpServer' })).toBeUndefined();
    expect(canonical({ module: '@modelcontextprotocol/server', name: 'StreamableHTTPServerTransport' })).toBeUndefined();
    expect(canonical(undefined)).toBeUndefined();
  });

  it('compares by either spelling', () => {
    const origin = { module: `${V1}/types.js`, name: 'McpError' };
    expect(isSdkSymbol(origin, 'McpError')).toBe(true);
    expect(isSdkSymbol(origin, 'ProtocolError')).toBe(true);
    expect(isSdkSymbol(origin, 'SdkError')).toBe(false);
  });
});
