import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { shimRenderer } from '../../../src/cli/templates.js';
import { tree } from '../../workspace/tree.js';

interface Handles {
  mint(owner: string, value: unknown): string;
  use(handle: string, owner: string): unknown;
  end(handle: string, owner: string): boolean;
}
type Class = new (limits: { idle: number; absolute: number; perOwner: number }, ended?: (value: unknown) => void) => Handles;

const render = await shimRenderer();
const written = tree({
  'state-handles.mjs': render('state-handles', { typescript: false, commonjs: false }),
  'state-handles.cjs': render('state-handles', { typescript: false, commonjs: true }),
});

afterEach(() => {
  vi.useRealTimers();
});

describe.each(['state-handles.mjs', 'state-handles.cjs'])('the handles that are written into a repository (%s)', (file) => {
  const load = async (): Promise<Class> => ((await import(pathToFileURL(join(written, file)).href)) as { StateHandles: Class }).StateHandles;
  const limits = { idle: 1000, absolute: 5000, perOwner: 2 };

  it('are random, and found again by their owner alone', async () => {
    const handles = new (await load())(limits);
    const [first, second] = [handles.mint('ada', 'atlas'), handles.mint('ada', 'globe')];
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    expect(handles.use(first, 'ada')).toBe('atlas');
    expect(handles.use(first, 'grace')).toBeUndefined();
    expect(handles.use('0'.repeat(32), 'ada')).toBeUndefined();
  });

  it('end when told to, when idle and in any case, and say so once', async () => {
    vi.useFakeTimers();
    const ended: unknown[] = [];
    const handles = new (await load())(limits, (value) => ended.push(value));
    const told = handles.mint('ada', 'told');
    expect(handles.end(told, 'grace')).toBe(false);
    expect(handles.end(told, 'ada')).toBe(true);
    const idle = handles.mint('ada', 'idle');
    const used = handles.mint('ada', 'used');
    for (let passed = 0; passed < 4500; passed += 900) {
      vi.advanceTimersByTime(900);
      handles.use(used, 'ada');
    }
    expect(ended).toEqual(['told', 'idle']);
    vi.advanceTimersByTime(900);
    expect(handles.use(used, 'ada')).toBeUndefined();
    expect(handles.use(idle, 'ada')).toBeUndefined();
    expect(ended).toEqual(['told', 'idle', 'used']);
  });

  it('are limited for each owner', async () => {
    const handles = new (await load())(limits);
    handles.mint('ada', 1);
    handles.mint('ada', 2);
    expect(() => handles.mint('ada', 3)).toThrow(/end one of 2/);
    expect(() => handles.mint('grace', 1)).not.toThrow();
  });
});
