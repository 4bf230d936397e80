/**
 * Every shape at every lane, both compilers, the SDK step alone, over the wire. Minutes, not seconds.
 *
 *   npm run live:all [-- shape …]     writes test/results/live.json
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { proveShape } from './prove-shape.js';
import { provePackages } from './published/all.js';
import { ROOT } from './server-process.js';
import { SHAPES } from './shapes.js';
import { COMPILERS } from './type-check.js';
import type { Proof } from './prove-shape.js';

const asked = process.argv.slice(2);
const shapes = asked.length > 0 ? SHAPES.filter((shape) => asked.includes(shape.name)) : SHAPES;
if (shapes.length === 0) {
  console.log(`no such shape. Known: ${SHAPES.map((shape) => shape.name).join(', ')}`);
  process.exit(2);
}

const version = (name: string): string => (JSON.parse(readFileSync(`${ROOT}node_modules/${name}/package.json`, 'utf8')) as { version: string }).version;
const proofs: Proof[] = [];
for (const shape of shapes) {
  const runs = [{ lane: 'auto', milestone: 'sdk' } as const, ...shape.lanes.map((lane) => ({ lane, milestone: 'all' }) as const)];
  for (const run of runs) {
    const proof = await proveShape(shape, { ...run, compilers: COMPILERS });
    proofs.push(proof);
    const failed = proof.steps.filter((step) => !step.ok);
    const seconds = proof.steps.reduce((sum, step) => sum + step.seconds, 0);
    console.log(
      `${failed.length === 0 ? 'ok  ' : 'FAIL'} ${shape.name}, ${run.milestone === 'sdk' ? 'SDK step alone' : `${run.lane} lane`}  ${seconds.toFixed(1)} s`,
    );
    for (const step of failed) console.log(`     ${step.name}: ${step.detail.replaceAll('\n', '\n     ')}`);
  }
}

const passed = proofs.flatMap((proof) => proof.steps).filter((step) => step.ok).length;
const failed = proofs.flatMap((proof) => proof.steps).length - passed;
if (asked.length === 0) {
  const clients = {
    '@modelcontextprotocol/sdk': version('@modelcontextprotocol/sdk'),
    '@modelcontextprotocol/client': version('@modelcontextprotocol/client'),
  };
  mkdirSync(`${ROOT}test/results`, { recursive: true });
  writeFileSync(`${ROOT}test/results/live.json`, `${JSON.stringify({ node: process.version, clients, passed, failed, proofs }, null, 2)}\n`);
}
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
// Published packages, when everything is asked for: test/results/packages.json.
const broken = asked.length === 0 ? await provePackages([]) : 0;
process.exitCode = failed > 0 || broken > 0 ? 1 : 0;
