/**
 * Starts a concern: copies `transforms/_template/` and adds it to the list.
 *
 *   npm run new -- session-cookie
 */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listConcern } from './list-concern.js';

const transforms = fileURLToPath(new URL('../../transforms/', import.meta.url));
const [name = '', ...rest] = process.argv.slice(2);

function refuse(why: string): never {
  console.log(`${why}\nUsage: npm run new -- <concern>, where <concern> is the session-bound thing in lower case with dashes, e.g. session-cookie.`);
  process.exit(2);
}

if (rest.length > 0 || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
  refuse(name === '' ? 'No name was given.' : `"${[name, ...rest].join(' ')}" is not a name of a concern.`);
const folder = join(transforms, name);
if (existsSync(folder)) refuse(`transforms/${name} exists already.`);

const list = join(transforms, 'index.ts');
const listed = listConcern(readFileSync(list, 'utf8'), name);
cpSync(join(transforms, '_template'), folder, { recursive: true });
const concern = join(folder, 'concern.ts');
writeFileSync(concern, readFileSync(concern, 'utf8').replace("id: '_template'", `id: '${name}'`));
writeFileSync(list, listed);

console.log(`transforms/${name} is there, and listed in transforms/index.ts. Its fixture fails until its story is told:

  npx vitest run --project concerns -t ${name}

Write, in this order: fixtures/<story>/before, typescript.ts, concern.ts, then \`npm run shots -- -t ${name}\`, README.md, \`npm run generate\`.
Every WRITE marks a text that is yours. CONTRIBUTING.md goes through it step by step.`);
