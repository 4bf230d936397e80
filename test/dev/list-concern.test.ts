import { describe, expect, it } from 'vitest';
import { listConcern } from '../../src/dev/list-concern.js';

const INDEX = `import { concern as sdkV1Typescript } from './sdk-v1-typescript/concern.js';
import { concern as sessionTransport } from './session-transport/concern.js';
import type { Knowledge } from './knowledge.js';

export const knowledge = {
  concerns: [sdkV1Typescript, sessionTransport],
};
`;

describe('listing a new concern', () => {
  it.each(['resource-subscriptions', 'session-cookie', 'tool-annotations'])('puts %s in its alphabetical place', (name) => {
    const listed = listConcern(INDEX, name);
    const folders = [...listed.matchAll(/from '\.\/([a-z0-9-]+)\/concern\.js'/g)].map(([, folder]) => folder);
    expect(folders).toEqual([...folders].sort());
    expect(folders).toContain(name);
    const names = /concerns: \[([^\]]*)\]/.exec(listed)?.[1]?.split(', ');
    const aliases = [...listed.matchAll(/concern as (\w+)/g)].map(([, alias]) => alias);
    expect(names).toEqual(aliases);
  });

  it('changes nothing else', () => {
    const listed = listConcern(INDEX, 'session-cookie');
    expect(listed.replace("import { concern as sessionCookie } from './session-cookie/concern.js';\n", '').replace('sessionCookie, ', '')).toBe(INDEX);
  });

  it('refuses a list that it does not understand', () => {
    expect(() => listConcern('export const knowledge = load();\n', 'session-cookie')).toThrow('usual form');
  });
});
