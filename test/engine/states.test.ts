import { expect, it } from 'vitest';
import type { Fact } from '../../src/core/index.js';
import { provedStates } from '../../src/engine/link/states.js';
import { at, ref } from './kit.js';

const kept = (name: string): Fact => ({ type: 'state', site: at('src/app.ts', 10), form: 'closure', category: 'state', of: ref('src/shelf.ts', name) });
const remembers = (name: string): Fact => ({ type: 'remembering-class', site: at('src/shelf.ts', 0), symbol: ref('src/shelf.ts', name) });

it('counts an object that is kept only where its class remembers', () => {
  const plain: Fact = { type: 'state', site: at('src/app.ts', 20), form: 'keyed', category: 'state' };
  expect(provedStates([kept('Ledger'), kept('Prices'), remembers('Ledger'), remembers('Unused'), plain])).toEqual([
    kept('Ledger'),
    remembers('Ledger'),
    remembers('Unused'),
    plain,
  ]);
});
