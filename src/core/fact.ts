import { z } from 'zod';
import { CallFact, FunctionFact } from './facts/code.js';
import { AffinityFact, InstancesFact, ObjectClassFact } from './facts/deployment.js';
import { AppFact, GuardFact, ListenFact, RouteFact } from './facts/http.js';
import { ClientFact, OpenSchemaFact, PushFact, QuestionFact } from './facts/message.js';
import { PromisedDateFact, RequirementFact } from './facts/promise.js';
import { ConnectFact, DispatchFact, EraFact, FactoryFact, SdkImportFact, ServerFact, TransportFact } from './facts/server.js';
import { ApplicationSessionFact, KeyUseFact, RememberingClassFact, StateFact, StoreFact } from './facts/session.js';

export { keyOf, SymbolRef } from './facts/place.js';

/** What detectors and host adapters see; what `link` and `judge` reason about. Offsets belong to the scanned text. */
export const Fact = z.discriminatedUnion('type', [
  SdkImportFact,
  ServerFact,
  FactoryFact,
  TransportFact,
  ConnectFact,
  DispatchFact,
  StoreFact,
  KeyUseFact,
  RouteFact,
  AppFact,
  ListenFact,
  GuardFact,
  PushFact,
  StateFact,
  RememberingClassFact,
  EraFact,
  FunctionFact,
  CallFact,
  ClientFact,
  QuestionFact,
  ApplicationSessionFact,
  OpenSchemaFact,
  PromisedDateFact,
  RequirementFact,
  InstancesFact,
  AffinityFact,
  ObjectClassFact,
]);
export type Fact = Readonly<z.infer<typeof Fact>>;
export type FactType = Fact['type'];
export type FactOf<T extends FactType> = Extract<Fact, { type: T }>;

const byType = new WeakMap<readonly Fact[], Map<FactType, { readonly length: number; readonly facts: readonly Fact[] }>>();

/**
 * The facts of one type, in file order. A large repository has hundreds of thousands of facts and asks for each finding, so a list is
 * gone through once for each type.
 */
export function factsOf<T extends FactType>(facts: readonly Fact[], type: T): readonly FactOf<T>[] {
  const known = byType.get(facts) ?? new Map<FactType, { readonly length: number; readonly facts: readonly Fact[] }>();
  let entry = known.get(type);
  // A list that has grown since is another list.
  if (entry?.length !== facts.length) {
    entry = { length: facts.length, facts: facts.filter((fact) => fact.type === type) };
    known.set(type, entry);
    byType.set(facts, known);
  }
  return entry.facts as readonly FactOf<T>[];
}
