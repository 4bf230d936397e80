#!/usr/bin/env node
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
const main = new URL('../dist/src/cli/main.js', import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`unsession needs Node 20.19 or newer; this is ${process.version}.`);
  process.exitCode = 3;
} else if (!existsSync(main)) {
  console.error('unsession is not built: dist/src/cli/main.js is missing. In a clone, run "npm run build"; otherwise install the package again.');
  process.exitCode = 3;
} else {
  const { run } = await import(main.href);
  await run();
}
