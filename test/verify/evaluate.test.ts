import { describe, expect, it } from 'vitest';
import { judge } from '../../src/verify/evaluate/assert.js';
import { fillIn, isSet, MissingVariable } from '../../src/verify/evaluate/fill.js';
import { valueAt, valuesAt } from '../../src/verify/evaluate/path.js';

const answer = {
  status: 400,
  header: { allow: 'GET, POST' },
  error: { code: -32020, data: { supported: ['2026-07-28'] } },
  messages: [
    { method: 'notifications/progress', params: { progress: 1 } },
    { method: 'notifications/progress', params: { progress: 5 } },
    { id: 7, result: { _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'shop' } } } },
  ],
};

describe('paths', () => {
  it('select members, indices, quoted keys and members with a field', () => {
    expect(valueAt(answer, 'error.data.supported[0]')).toBe('2026-07-28');
    expect(valueAt(answer, 'messages[2].result._meta["io.modelcontextprotocol/serverInfo"].name')).toBe('shop');
    expect(valuesAt(answer, 'messages[method="notifications/progress"].params.progress')).toEqual({ values: [1, 5], many: true });
    expect(valuesAt(answer, 'messages[params.progress="5"]').values).toHaveLength(1);
    expect(valuesAt(answer, 'messages[id].id').values).toEqual([7]);
    expect(valuesAt(answer, 'error.data[*]').values).toEqual([['2026-07-28']]);
  });
  it('never reach into prototypes', () => {
    expect(valueAt(answer, 'messages.length')).toBe(3);
    expect(valueAt(answer, 'error.constructor')).toBeUndefined();
  });
  it('refuse what is no path', () => {
    expect(() => valueAt(answer, 'messages[')).toThrow('Not a path');
  });
});

describe('variables', () => {
  it('keep their type when they are the whole text, and are text inside another', () => {
    expect(fillIn({ '{name}': '{id}', text: 'tool {id}', list: ['{id}'] }, { id: 7, name: 'key' })).toEqual({ key: 7, text: 'tool 7', list: [7] });
  });
  it('leave members out when they are optional, and spread records', () => {
    expect(fillIn({ 'Mcp-Session-Id': '{?session}', '...': '{rest}' }, { rest: { a: 1 } })).toEqual({ a: 1 });
  });
  it('say which one is missing', () => {
    expect(() => fillIn('{tool.name}', {})).toThrow(MissingVariable);
    expect(isSet('list', { list: [] })).toBe(false);
    expect(isSet('!list', { list: [] })).toBe(true);
  });
});

describe('assertions', () => {
  const fails = (assertion: Parameters<typeof judge>[1][number][number]): boolean => judge(answer, [[assertion]], {}, 'none').length > 0;
  it('fail on a missing value when positive and hold when negative', () => {
    expect(fails({ at: 'result.ttlMs', typeOf: 'integer' })).toBe(true);
    expect(fails({ at: 'type', not: 'text/event-stream' })).toBe(false);
    expect(fails({ at: 'header.allow', includes: 'post' })).toBe(false);
    expect(fails({ at: 'messages[method="none"]', present: true })).toBe(true);
    expect(fails({ at: 'messages[method]', has: 'params.progress' })).toBe(false);
  });
  it('compare lists, sets, order and growth', () => {
    expect(fails({ at: 'messages[method="notifications/progress"].params.progress', increasing: true })).toBe(false);
    expect(fails({ at: 'messages[method].method', distinct: true })).toBe(true);
    expect(fails({ at: 'error.data.supported', sameSet: ['2026-07-28'] })).toBe(false);
    expect(fails({ at: 'error.data.supported', within: [] })).toBe(true);
    expect(fails({ at: 'error.code', typeOf: 'integer', unlike: '^-320(02|42)$' })).toBe(false);
  });
  it('take the alternative that fits best, and warn where only a should is missed', () => {
    const deviations = judge(
      answer,
      [
        [
          { at: 'status', is: 200 },
          { at: 'result', present: true },
        ],
        [
          { at: 'status', is: 400 },
          { at: 'error.data.requested', present: true, level: 'should' },
        ],
      ],
      {},
      'none',
    );
    expect(deviations).toEqual([{ level: 'should', text: 'error.data.requested must be present; saw nothing' }]);
  });
  it('skip an alternative of which nothing applies: it must not hold by accident', () => {
    const elsewhere = [{ at: 'status', is: 1, lanes: ['sessionful' as const] }];
    expect(judge(answer, [[{ at: 'status', is: 200 }], elsewhere], {}, 'none')).toHaveLength(1);
  });
  it('look only at their lanes', () => {
    expect(judge(answer, [[{ at: 'status', is: 405, lanes: ['none'] }]], {}, 'sessionful')).toEqual([]);
    expect(judge(answer, [[{ at: 'status', is: 405, lanes: ['none'] }]], {}, 'none')).toHaveLength(1);
  });
});
