import type { FileOf, Host } from '../../src/core/index.js';
import { express } from './express/index.js';
import { elysia, elysiaFile } from './elysia/index.js';
import { fastify, fastifyFile } from './fastify/index.js';
import { fetchFile, fetchHost } from './fetch/index.js';
import { honoFile, honoHost } from './hono/index.js';
import { koa, koaFile } from './koa/index.js';
import { lambda, lambdaFile } from './lambda/index.js';
import { nestFile, nestjs } from './nestjs/index.js';
import { nextFile, nextjs } from './nextjs/index.js';
import { nodeHttp, nodeHttpFile } from './node-http/index.js';
import type { ReadHost } from './emit.js';
import { type HostFile, NOTHING_SERVED } from './served.js';

export type { RequestForm, Served } from './served.js';
export { isAt } from './served.js';

/** Every framework that the tool knows, in the order in which their facts are told. */
export const hosts: readonly Host[] = [elysia, express, fastify, fetchHost, honoHost, koa, lambda, nestjs, nextjs, nodeHttp];

/** Hosts whose handlers are functions that the entry is written into. Express routes are wrapped instead. */
const READERS: Readonly<Record<string, ReadHost>> = {
  elysia: elysiaFile,
  fastify: fastifyFile,
  fetch: fetchFile,
  hono: honoFile,
  koa: koaFile,
  lambda: lambdaFile,
  nestjs: nestFile,
  nextjs: nextFile,
  'node-http': nodeHttpFile,
};

/** Is the entry written into the handlers of this host? */
export const hasHandlers = (host: string): boolean => host in READERS;

/** What a file serves on one host; nothing for a host that is not known. */
export const handlersOfHost = (host: string, file: FileOf<'typescript'>, has: (path: string) => boolean): HostFile =>
  READERS[host]?.(file, has) ?? NOTHING_SERVED;

/** What a file serves on any of these hosts, by the host. */
export const handlersOfFile = (file: FileOf<'typescript'>, has: (path: string) => boolean): readonly (HostFile & { readonly host: string })[] =>
  Object.entries(READERS).map(([host, read]) => ({ host, ...read(file, has) }));
