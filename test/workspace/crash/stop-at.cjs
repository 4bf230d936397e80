/**
 * Preloaded into a process: kills it at its n-th change of the disk (environment STOP_AT, from 1), half-way where a
 * change has a half: a write leaves half of the bytes, a removal of a folder leaves all but its first entry.
 * With FULL_AT instead the disk is full from the n-th change on: nothing new is written any more, removing and renaming still work.
 */
const { Buffer } = require('node:buffer');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { join } = require('node:path');

const stopAt = Number(process.env.STOP_AT);
const fullAt = Number(process.env.FULL_AT);
const full = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
let changes = 0;

const die = () => process.kill(process.pid, 'SIGKILL');
const halves = {
  writeFileSync: (original, [target, bytes]) => original(target, Buffer.from(bytes).subarray(0, Math.floor(bytes.length / 2))),
  rmSync: (original, [path, options]) => {
    const first = options?.recursive && fs.existsSync(path) ? fs.readdirSync(path).sort()[0] : undefined;
    if (first !== undefined) original(join(path, first), { recursive: true });
  },
};

for (const name of ['openSync', 'writeFileSync', 'renameSync', 'rmSync', 'rmdirSync', 'mkdirSync', 'chmodSync']) {
  const original = fs[name];
  fs[name] = (...args) => {
    if (name === 'openSync' && !/[wa]/.test(String(args[1] ?? 'r'))) return original(...args);
    changes += 1;
    if (changes >= fullAt && ['openSync', 'writeFileSync', 'mkdirSync'].includes(name)) {
      if (changes === fullAt) halves[name]?.(original, args);
      throw full();
    }
    if (changes === stopAt) {
      halves[name]?.(original, args);
      die();
    }
    return original(...args);
  };
}
syncBuiltinESMExports();
