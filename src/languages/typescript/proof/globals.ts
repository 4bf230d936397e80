/** Names of the language and of the runtime that runs this tool: `Promise`, `fetch`, `URL`, `process`, … */
const RUNTIME: readonly string[] = Object.getOwnPropertyNames(globalThis);

const list = (names: string): readonly string[] => names.trim().split(/\s+/);

/** Bound by module wrappers and function bodies. */
const IMPLICIT = list('require module exports __dirname __filename arguments undefined NaN Infinity globalThis');

/** Type-only names of the ECMAScript libraries. */
const LANGUAGE_TYPES = list(`
  Partial Required Readonly Pick Record Exclude Extract Omit NonNullable Parameters ConstructorParameters ReturnType InstanceType Awaited
  ThisParameterType OmitThisParameter ThisType Uppercase Lowercase Capitalize Uncapitalize NoInfer PropertyKey PropertyDescriptor
  PropertyDescriptorMap PromiseLike PromiseSettledResult PromiseFulfilledResult PromiseRejectedResult PromiseConstructor ArrayLike ConcatArray
  ReadonlyArray ReadonlyMap ReadonlySet ReadonlySetLike Iterable Iterator IterableIterator IteratorResult IteratorObject AsyncIterable
  AsyncIterator AsyncIterableIterator AsyncIteratorObject Generator AsyncGenerator GeneratorFunction AsyncGeneratorFunction TemplateStringsArray
  RegExpMatchArray RegExpExecArray CallableFunction NewableFunction ErrorOptions ArrayBufferLike ArrayBufferView Disposable AsyncDisposable
  ClassDecorator PropertyDecorator MethodDecorator ParameterDecorator ClassMethodDecoratorContext ClassFieldDecoratorContext DecoratorContext
  WeakKey ErrorConstructor ImportMeta ImportAttributes ImportCallOptions IArguments Intl
`);

/** Types of Node and of the web platform, and values of other runtimes. */
const PLATFORM = list(`
  NodeJS BufferEncoding NodeRequire NodeModule RequestInit ResponseInit HeadersInit BodyInit RequestInfo RequestCredentials RequestMode RequestCache
  RequestRedirect ReferrerPolicy EventListener EventListenerOrEventListenerObject EventListenerObject AddEventListenerOptions EventInit
  MessageEventInit CustomEventInit QueuingStrategy UnderlyingSource UnderlyingSink Transformer ReadableStreamController StreamPipeOptions
  ReadableStreamReadResult BlobPart BlobPropertyBag TimerHandler Timer JsonWebKey CryptoKeyPair Algorithm EventSource EventSourceInit
  WebSocketEventMap ErrorEvent CloseEvent ProgressEvent XMLHttpRequest Worker SharedWorker MessageEventSource Transferable StructuredSerializeOptions
  window document self location history navigator localStorage sessionStorage indexedDB caches alert confirm prompt screen customElements
  requestAnimationFrame cancelAnimationFrame requestIdleCallback matchMedia getComputedStyle importScripts postMessage addEventListener
  removeEventListener Element HTMLElement HTMLDivElement HTMLInputElement HTMLButtonElement HTMLFormElement HTMLAnchorElement HTMLIFrameElement
  Document Window Node NodeList MutationObserver ResizeObserver IntersectionObserver KeyboardEvent MouseEvent SubmitEvent DOMParser Image FileReader
  FileList File Audio MediaQueryList Storage ServiceWorkerGlobalScope DedicatedWorkerGlobalScope Deno Bun EdgeRuntime WebSocketPair KVNamespace
  DurableObject DurableObjectState DurableObjectNamespace DurableObjectStub ExecutionContext ExportedHandler Fetcher R2Bucket D1Database Env Queue
  WebSocket CustomEvent Navigator Iterator Float16Array navigator
  React JSX
`);

/** Injected by test runners. */
const TESTING = list(
  'describe it test expect beforeEach afterEach beforeAll afterAll before after suite context jest vi vitest mocha jasmine xit xdescribe xtest fit fdescribe fail pending spyOn assertType expectTypeOf',
);

const KNOWN: ReadonlySet<string> = new Set([...RUNTIME, ...IMPLICIT, ...LANGUAGE_TYPES, ...PLATFORM, ...TESTING]);

/** True for a name that needs no declaration in any of the environments that we meet. */
export const isKnownGlobal = (name: string): boolean => KNOWN.has(name);
