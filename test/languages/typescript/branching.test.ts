import { describe, expect, it } from 'vitest';
import { constantOf, instanceOrigin, originOf, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { given, node } from './given.js';

/*
 * Bundles give every name several values, each made of other names. A question that follows all of them takes a power of their number:
 * one bundle of 250 kB once took seven minutes. What is counted here is how often a name is looked up, not how long it takes.
 */

const LENGTH = 60;
const links = (line: (index: number) => string): string => Array.from({ length: LENGTH }, (_, index) => line(index)).join('\n');
const next = (index: number, step: number): string => String((index + step) % LENGTH);

const SOURCES: Readonly<Record<string, readonly [source: string, asked: string]>> = {
  'a choice of two': [`let t0;\n${links((i) => `let t${String(i + 1)} = x ? t${String(i)} : t${String(i)};`)}\nt${String(LENGTH)};`, `t${String(LENGTH)}`],
  'one or the other': [`let t0;\n${links((i) => `let t${String(i + 1)} = t${String(i)} ?? t${String(i)};`)}\nt${String(LENGTH)};`, `t${String(LENGTH)}`],
  'several assignments': [
    `let ${Array.from({ length: LENGTH }, (_, i) => `v${String(i)}`).join(', ')};\n${links((i) => `v${String(i)} = v${next(i, 1)}; v${String(i)} = v${next(i, 3)};`)}\nv0;`,
    'v0',
  ],
  'several returns': [
    `${links((i) => `function g${String(i)}() { if (x) return g${next(i, 1)}(); return g${next(i, 5)}() || g${next(i, 2)}(); }`)}\ng0();`,
    'g0()',
  ],
  'fields given to each other': [
    `class A {\n${links((i) => `m${String(i)}() { this.f${String(i)} = this.f${next(i, 1)}; } n${String(i)}() { this.f${String(i)} = this.f${next(i, 7)}; }`)}\nrun() { this.f0; }\n}`,
    'this.f0',
  ],
  'sums of sums': [
    `const c0 = '/mcp';\n${links((i) => `const c${String(i + 1)} = c${String(i)} + c${String(i)};`)}\nc${String(LENGTH)};`,
    `c${String(LENGTH)}`,
  ],
  'templates of templates': [
    `const c0 = f();\n${links((i) => `const c${String(i + 1)} = \`\${c${String(i)}}\${c${String(i)}}\`;`)}\nc${String(LENGTH)};`,
    `c${String(LENGTH)}`,
  ],
};

/** Counts how often the bindings of a file are asked for the declaration of a name. */
function counted(file: TypeScriptFile): () => number {
  let lookups = 0;
  const { bindings } = file;
  const declarationAt = bindings.declarationAt.bind(bindings);
  Object.defineProperty(bindings, 'declarationAt', {
    value: (identifier: Parameters<typeof declarationAt>[0]) => {
      lookups++;
      return declarationAt(identifier);
    },
  });
  return () => lookups;
}

describe('questions about names that have several values', () => {
  it.each(Object.entries(SOURCES))('%s: looks up a bounded number of names', (_, [source, asked]) => {
    for (const ask of [instanceOrigin, originOf, constantOf]) {
      const file = given(source);
      const lookups = counted(file);
      ask(node(file, asked), file);
      expect(lookups()).toBeLessThan(2_000);
    }
  });
});
