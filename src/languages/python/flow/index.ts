import type { PythonFile } from '../file.js';
import type { PyNode } from '../node.js';
import { Inference } from './infer.js';
import type { PyType, TypeFacts } from './type.js';

const known = new WeakMap<PythonFile, Map<TypeFacts, Inference>>();

/** The inference of a file under one set of facts; kept, because detectors ask many times. */
export function inferenceOf(file: PythonFile, facts: TypeFacts): Inference {
  let byFacts = known.get(file);
  if (!byFacts) known.set(file, (byFacts = new Map<TypeFacts, Inference>()));
  let inference = byFacts.get(facts);
  if (!inference) byFacts.set(facts, (inference = new Inference(file, facts)));
  return inference;
}

/** The types that an expression may have, by local flow; empty when nothing is known. */
export const typesOf = (node: PyNode, file: PythonFile, facts: TypeFacts): readonly PyType[] => inferenceOf(file, facts).typesOf(node);
