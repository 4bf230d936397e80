import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { begin } from '../../src/engine/pipeline.js';
import { calledName, callConcern, dryRun, knowledge, repository } from './kit.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that are alive: everything else is collected first. */
async function alive(): Promise<number> {
  // Weak references are held until the task that looked at them is over.
  await new Promise((done) => setImmediate(done));
  collect();
  return process.memoryUsage().heapUsed;
}

const FILES = 40;
const TEXT = 200_000;
const NOTE = 'the gauge at the north pier is read by hand';

/** A text of 200 kB with one call, and with something to quote. */
const text = (index: number): string =>
  `// ${NOTE} ${String(index)}\nexport const north${String(index)} = () => readGauge('north');\n${'// the tide is out\n'.repeat(Math.ceil(TEXT / 19))}`;

describe('what a scan keeps of a file', () => {
  it('is its findings and facts: neither its tree, nor its text, which a string cut out of it would hold', async () => {
    const trees: WeakRef<object>[] = [];
    const gauge = callConcern({
      id: 'gauge',
      name: 'readGauge',
      more: {
        detect: {
          typescript: (file, report) => {
            trees.push(new WeakRef(file));
            return {
              CallExpression(node) {
                if (calledName(node) !== 'readGauge') return;
                const quoted = file.text.slice(3, 3 + NOTE.length);
                report.finding('call', file.span(node), { evidence: [quoted], data: { note: file.text.slice(3, 40) }, related: [file.site(node.expression)] });
                report.fact({ type: 'call', site: file.site(node), to: { file: file.path, name: file.text.slice(3, 30) } });
              },
            };
          },
        },
      },
    });
    const files = Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`src/pier${String(index)}.ts`, text(index)]));
    const scan = (root: string) => begin(root, knowledge(gauge), dryRun, 'forget');
    // The first scan loads the front end.
    await scan(repository({ 'package.json': '{ "name": "harbour" }\n', 'src/pier.ts': text(0) }));
    const root = repository({ 'package.json': '{ "name": "harbour" }\n', ...files });

    const before = await alive();
    const start = await scan(root);
    const kept = (await alive()) - before;
    expect(start.scanned.notAnalysed).toEqual([]);
    expect(start.known.findings).toHaveLength(FILES);
    expect(start.known.findings[0]?.evidence).toEqual([NOTE]);
    expect(trees).toHaveLength(FILES + 1);
    expect(trees.filter((tree) => tree.deref() !== undefined)).toHaveLength(0);
    // One text in five would be seen: measured 4 kB a file, and 200 kB when a text is held.
    expect(kept / FILES).toBeLessThan(TEXT / 5);
  });
});
