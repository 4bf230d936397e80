import type { Kind } from '../../src/core/index.js';

/** Every use of SDK v1 that has a cure of its own. */
export const kinds = {
  'sdk-import': {
    what: 'Imports `{module}` of SDK v1{names}.',
    why: 'SDK v1 ends at revision 2025-11-25 and will not speak 2026-07-28. v2 is published under other package names.',
    next: 'Import from {target}.',
    impact: 'degrades',
  },
  'unmapped-import': {
    what: 'Imports `{name}` from `{module}`, which SDK v2 does not have.',
    why: 'As long as it stays, the package depends on two SDK lines.',
    next: '{advice}, then run the migration.',
    impact: 'degrades',
  },
  'deep-import': {
    what: 'Reaches into the build output of the SDK: `{module}`.',
    why: 'SDK v2 publishes no such path, so the import fails once v1 is gone.',
    next: 'Use what the packages export: {target}.',
    impact: 'breaks',
  },
  'resolved-path': {
    what: 'Asks for the path of `{module}`.',
    why: 'SDK v2 has no file there: the call throws once v1 is gone.',
    next: 'Ask for a path of the v2 package that is meant, or read the version from your own manifest.',
    impact: 'breaks',
  },
  'mock-path': {
    what: 'Mocks `{module}`.',
    why: 'Several v1 paths become one v2 package: a second mock of it replaces the first, and each hides the rest of the package.',
    next: 'Write one mock of {target} that keeps what it does not replace.',
    impact: 'breaks',
  },
  'type-shim': {
    what: 'Declares the types of `{module}` by hand.',
    why: 'With it the type check says nothing about the real SDK, before and after the migration.',
    next: 'Remove the declaration in the same step, then run the type check.',
    impact: 'degrades',
  },
  'schema-first-handler': {
    what: 'Registers a handler with `{schema}`.',
    why: 'SDK v2 takes the method as text and throws for a schema when the process starts.',
    next: 'Write `{registration}({method}, …)`.',
    impact: 'breaks',
  },
  'custom-method-handler': {
    what: 'Registers a handler for a method of its own with a schema.',
    why: 'SDK v2 takes `(method, { params }, handler)`, and the handler gets the parameters instead of the request.',
    next: 'Pass the method as text and the schema of the parameters, and read parameters in the handler.',
    impact: 'breaks',
  },
  'variadic-registration': {
    what: 'Registers with `.{registration}(…)`.',
    why: 'SDK v2 has no variadic form: the call is a TypeError when the process starts.',
    next: 'Write `.{replacement}(name, config, handler)`.',
    impact: 'breaks',
  },
  'request-context': {
    what: 'Reads `{property}` of the request context.',
    why: 'SDK v2 keeps it at `{target}`. The old read is `undefined` at run time, and nothing fails in JavaScript.',
    next: 'Read `{variable}.{target}`.',
    impact: 'breaks',
  },
  'identity-read': {
    what: 'Reads the identity of the caller: `{property}` of the request context.',
    why: 'SDK v2 keeps it at `{target}`. The old read is `undefined`: the caller counts as anonymous, and the answer is HTTP 200.',
    next: 'Read `{variable}.{target}`, and check what the back end does without an identity.',
    impact: 'breaks',
    category: 'auth',
  },
  'forwarded-context': {
    what: 'Hands the request context on to {callee}.',
    why: 'SDK v2 nests the context, so that what reads `authInfo` or `signal` there gets `undefined`.',
    next: 'Change what takes it to the v2 shape (`mcpReq`, `http`), and its type.',
    impact: 'breaks',
    category: 'auth',
  },
  'request-headers': {
    what: 'Reads the request header {header} as a property.',
    why: 'In v2 the headers are a web `Headers` object: the property is `undefined`.',
    next: 'Read it with `.get({header})`.',
    impact: 'breaks',
  },
  'raw-log-notification': {
    what: 'Sends `notifications/message` by hand.',
    why: 'On 2026-07-28 the raw notification ignores the log level of the request, which the revision forbids.',
    next: 'Send it with `ctx.mcpReq.log(level, data, logger)`.',
    impact: 'breaks',
    category: 'push',
  },
  'result-schema-argument': {
    what: 'Passes `{schema}` to `{method}()`.',
    why: 'SDK v2 knows the result of every method of the specification; the argument is taken for the options.',
    next: 'Drop the argument.',
    impact: 'breaks',
  },
  'error-class': {
    what: 'Uses `{name}` of SDK v1.',
    why: 'SDK v2 splits it: errors of the peer are `ProtocolError` with a number, errors of the SDK itself `SdkError` with a text code. A guard on the old class never matches.',
    next: 'Use {target} instead.',
    impact: 'breaks',
  },
  'raw-error-code': {
    what: 'Compares an error code with the number {code}.',
    why: 'SDK v1 raised this number itself ({meaning}); v2 raises `SdkError` with a text code. The branch is dead, and nothing fails to compile.',
    next: 'Write `e instanceof SdkError && e.code === SdkErrorCode.{member}`.',
    impact: 'breaks',
  },
  'http-error-code': {
    what: 'Reads the HTTP status from `code` of `StreamableHTTPError`.',
    why: 'The class is `SdkHttpError` in v2; its `code` is a text and the status is in `status`. The branch is dead.',
    next: 'Write `e instanceof SdkHttpError && e.status === …`.',
    impact: 'breaks',
  },
  'auth-helper': {
    what: 'Uses `{name}` of the auth modules of SDK v1.',
    why: 'The copy in `@modelcontextprotocol/server-legacy` is frozen; the maintained one is in `@modelcontextprotocol/express` and answers 500 to the old error classes.',
    next: 'Import it from {target}; verifiers throw `OAuthError` with an `OAuthErrorCode`.',
    impact: 'degrades',
    category: 'auth',
  },
  'legacy-auth-error': {
    what: 'Throws `{name}` of the frozen auth package next to the maintained middleware.',
    why: 'The middleware only knows `OAuthError`: an invalid token is answered with 500 instead of 401, and clients do not sign in again.',
    next: 'Throw `new OAuthError(OAuthErrorCode.{member}, …)`.',
    impact: 'breaks',
    category: 'auth',
  },
  'removed-symbol': {
    what: 'Uses `{name}` of `{module}`.',
    why: 'SDK v2 has nothing for it.',
    next: '{advice}, then run the migration.',
    impact: 'breaks',
  },
  'completable-nesting': {
    what: 'Wraps an optional schema in `completable()`.',
    why: 'SDK v2 looks for the completion under an outermost optional wrapper only: completions come back empty.',
    next: 'Write `completable(schema, complete).optional()`.',
    impact: 'degrades',
  },
  'zod-range': {
    what: 'Uses zod in a way that is not proved to mean the same in zod 4: {reason}.',
    why: 'SDK v2 takes schemas of zod 4.2 or later. With zod 3 the server starts, and the first `tools/list` fails.',
    next: 'Make this place fit both (see the guide of zod 4), then run the migration again.',
    impact: 'degrades',
  },
  'wrapped-sdk': {
    what: 'Hands SDK objects to `{wrapper}` ({product}).',
    why: 'That package speaks the protocol with an SDK copy of its own: its version decides the revision, and it takes no objects of another SDK line.',
    next: '{advice} `server/discover` on the running server tells the revision, not the lock file.',
    impact: 'breaks',
  },
  'manifest-dependency': {
    what: 'Depends on `@modelcontextprotocol/sdk` {range}.',
    why: 'This package ends at 1.x and at revision 2025-11-25. Update bots will not propose v2: it has other names.',
    next: 'Depend on the v2 packages that the code imports.',
    impact: 'degrades',
  },
  'peer-dependency': {
    what: 'Asks its consumers for `@modelcontextprotocol/sdk` {range}.',
    why: 'Consumers hand in objects of v1, which code on v2 does not take.',
    next: 'Release the move to the v2 packages as a major version.',
    impact: 'degrades',
  },
  'nonexistent-range': {
    what: 'Asks for `@modelcontextprotocol/sdk` {range}, a version that does not exist.',
    why: 'SDK v2 is published as `@modelcontextprotocol/server`, `client`, `core`, `node` and others; the old name stays at 1.x, so the install fails.',
    next: 'Depend on the v2 packages that the code imports.',
    impact: 'breaks',
  },
  'zod-floor': {
    what: 'Allows zod {range}.',
    why: 'SDK v2 takes schemas of zod 4.2 or later. With zod 3 the server starts, and the first `tools/list` fails.',
    next: 'Raise it to ^4.2.0 where schemas are registered; the migration does so when every use is proved to mean the same.',
    impact: 'degrades',
  },
  'node-floor': {
    what: 'Promises to run on Node {range}.',
    why: 'The v2 packages need Node 20.',
    next: 'Raise `engines.node` to >=20.',
    impact: 'degrades',
  },
  'bot-rule': {
    what: 'A rule of the dependency bot names `@modelcontextprotocol/sdk`.',
    why: 'The v2 packages have other names, so that the rule no longer covers the SDK.',
    next: 'Let the rule match `@modelcontextprotocol/**`.',
    impact: 'none',
  },
  'public-api': {
    what: 'Exports `{name}` of the SDK as part of its own interface.',
    why: 'Objects of v1 and v2 are not interchangeable: consumers on v1 break.',
    next: 'Release it as a major version, with the v2 package as a peer dependency.',
    impact: 'degrades',
  },
} as const satisfies Record<string, Kind>;

/** Names of the kinds. */
export type SdkKind = keyof typeof kinds;
