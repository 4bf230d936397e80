import { z } from 'zod';
import { SymbolRef, at } from './place.js';

/** Extent of a function: lets `link` say which function, and so which endpoint and lane, a place belongs to. */
export const FunctionFact = z.object({ type: z.literal('function'), ...at, symbol: SymbolRef });

/** A reference from one function to another declaration: the edges along which lanes are computed. */
export const CallFact = z.object({ type: z.literal('call'), ...at, from: SymbolRef.optional(), to: SymbolRef });
