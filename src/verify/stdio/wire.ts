import type { Sharing } from '../../core/check.js';
import type { CheckRequest } from '../../core/check-step.js';
import { isRecord, liftResponse, type Answer, type Problem } from '../answer.js';
import { valuesAt } from '../evaluate/path.js';
import type { Settings } from '../options.js';
import { messageOf } from '../protocol.js';
import { freshId, type During, type OpenWire } from '../wire.js';
import { LineProcess, type Command } from './process.js';

/** Time for what may follow a response or a notification, in milliseconds. */
const GRACE = 25;
/** After a response without an id, time for one with it, in milliseconds. */
const NAMELESS = 300;
/** A subscription that stays mute is treated as open after this many milliseconds. */
const LATE = 1000;

/** The messages of a handshake, of which a process gets each once. */
const GREETING = new Set(['initialize', 'notifications/initialized']);

/** Ways to the processes of one server. */
export interface StdioWires {
  /** One process for each wire, and one more for each connection name. */
  readonly open: OpenWire;
  /**
   * Wires that use one process one after the other, as long as it lives and nothing odd happened on it. On the `legacy` one there is one handshake: who
   * asks for it again gets the answer that the process gave.
   */
  readonly openShared: (kind: Sharing) => OpenWire;
  /** Ends what still runs. */
  readonly finish: () => Promise<void>;
}

/** Opens stdio wires. The verbs `EOF` and `TERM` end the input or ask the process to end. */
export function stdioWires(command: Command, settings: Settings): StdioWires {
  const address = [command.command, ...command.args].join(' ');
  const wait = (milliseconds: number | undefined): number | undefined =>
    milliseconds === undefined ? undefined : Math.max(20, Math.round(milliseconds * settings.pace));
  const ending = new Set<Promise<void>>();
  /** Ends a process without waiting for it: the next check need not know how long it takes. */
  const retire = (running: LineProcess): void => {
    const closing: Promise<void> = running.close().finally(() => ending.delete(closing));
    ending.add(closing);
  };
  const shared: Readonly<Record<Sharing, Map<string, LineProcess>>> = { modern: new Map(), legacy: new Map() };
  const greetings = new WeakMap<LineProcess, Map<string, Answer>>();
  const opener =
    (sharing?: Sharing): OpenWire =>
    (onAnswer) => {
      const processes = sharing === undefined ? new Map<string, LineProcess>() : shared[sharing];
      let odd = false;
      const drop = (): void => {
        for (const [name, running] of [...processes]) {
          processes.delete(name);
          retire(running);
        }
      };
      if (sharing !== undefined && [...processes.values()].some((running) => running.exited !== undefined)) drop();
      const processOf = (name: string): LineProcess => {
        const known = processes.get(name) ?? new LineProcess(command, settings.maxBytes);
        processes.set(name, known);
        return known;
      };

      const exchange = async (request: CheckRequest, during: During = []): Promise<Answer> => {
        const started = performance.now();
        const peer = processOf(request.connection ?? 'main');
        const greeting = sharing === 'legacy' && request.method !== undefined && GREETING.has(request.method) ? request.method : undefined;
        const given = greeting === undefined ? undefined : greetings.get(peer)?.get(greeting);
        if (given) {
          onAnswer?.(request, given);
          return given;
        }
        peer.recount();
        const from = peer.messages.length;
        const id = request.id ?? freshId();
        const line = lineOf(request, id);
        const news = (): readonly unknown[] => peer.messages.slice(from);
        const gone = (): boolean => peer.exited !== undefined;
        // An id that came back as another type is the answer all the same: a fault to be judged, not a reason to wait for a better one.
        const isAnswer = (message: unknown): boolean => isRecord(message) && !('method' in message) && isSameText(message['id'], id);
        const responded = (): boolean => gone() || news().some(isAnswer);
        const nameless = (): boolean => news().some(isNameless);
        const verb = request.verb ?? 'POST';
        if (verb === 'EOF') peer.endInput();
        else if (verb === 'TERM') peer.signal('SIGTERM');
        else peer.write(line);

        const within =
          request.abortAfter ?? (request.notification === true || verb !== 'POST' || request.body !== undefined ? (request.readFor ?? GRACE) : undefined);
        let inner: readonly Answer[] = [];
        let timedOut = false;
        if (typeof during === 'function' || during.length > 0) {
          await peer.wait(LATE, () => gone() || news().length > 0, settings.signal);
          const requests = typeof during === 'function' ? during([]) : during;
          const answers: Answer[] = [];
          for (const next of requests) answers.push(await exchange(next));
          inner = answers;
          await peer.wait(wait(request.readFor) ?? GRACE, gone, settings.signal);
        } else if (verb !== 'POST') await peer.wait(wait(within) ?? GRACE, gone, settings.signal);
        else if (request.until !== undefined) {
          const { until } = request;
          await peer.wait(wait(request.readFor) ?? settings.timeout, () => gone() || valuesAt({ messages: news() }, until).values.length > 0, settings.signal);
        } else if (within !== undefined) await peer.wait(wait(within) ?? GRACE, gone, settings.signal);
        else if (request.readFor !== undefined) {
          await peer.wait(LATE, () => gone() || news().length > 0, settings.signal);
          await peer.wait(wait(request.readFor) ?? GRACE, gone, settings.signal);
        } else {
          timedOut = !(await peer.wait(settings.timeout, () => responded() || nameless(), settings.signal));
          // Somebody else's, or a fault to be judged: the right one may still come.
          if (!timedOut && !responded()) await peer.wait(NAMELESS, responded, settings.signal);
          if (!timedOut && !gone()) await peer.wait(GRACE, gone, settings.signal);
        }
        const messages = news();
        const problem = problemOf(peer, timedOut, settings);
        const answer: Answer = {
          header: {},
          body: messages.map((message) => JSON.stringify(message)).join('\n'),
          messages,
          ...liftResponse(messages, request.notification === true || request.body !== undefined ? undefined : id),
          events: [],
          comments: [],
          retries: [],
          ended: gone(),
          silent: messages.length === 0,
          ...(problem ? { problem } : {}),
          ...(peer.exited === undefined ? {} : { exited: peer.exited }),
          stray: timedOut && peer.unfinished !== '' ? [...peer.stray, peer.unfinished.slice(0, 200)] : [...peer.stray],
          milliseconds: Math.round(performance.now() - started),
          during: inner,
          sent: {
            ...(request.notification === true ? {} : { id }),
            ...(request.method === undefined ? {} : { method: request.method }),
            verb: 'LINE',
            url: address,
            headers: {},
            body: line,
          },
        };
        if (greeting !== undefined && answer.error === undefined && problem === undefined)
          greetings.set(peer, new Map([...(greetings.get(peer) ?? []), [greeting, answer]]));
        odd ||= problem !== undefined || answer.foreign.length > 0 || answer.asked.length > 0;
        onAnswer?.(request, answer);
        return answer;
      };
      return {
        exchange,
        warm: () => void processOf('main'),
        close: () => {
          if (sharing === undefined || odd) drop();
          else for (const running of processes.values()) running.forget();
          return Promise.resolve();
        },
      };
    };
  return {
    open: opener(),
    openShared: opener,
    finish: async () => {
      for (const running of [...shared.modern.values(), ...shared.legacy.values()]) retire(running);
      shared.modern.clear();
      shared.legacy.clear();
      await Promise.all(ending);
    },
  };
}

/** A response without an id. */
const isNameless = (message: unknown): boolean => isRecord(message) && !('method' in message) && (message['id'] === undefined || message['id'] === null);

/** `1` and `"1"`: the same id as text. */
const isSameText = (given: unknown, id: string | number): boolean => (typeof given === 'string' || typeof given === 'number') && String(given) === String(id);

function lineOf(request: CheckRequest, id: string | number): string {
  if (request.fill !== undefined) return (request.body ?? 'a').repeat(Math.ceil(request.fill / (request.body ?? 'a').length)).slice(0, request.fill);
  return request.body ?? JSON.stringify(messageOf(request, id));
}

function problemOf(peer: LineProcess, timedOut: boolean, settings: Settings): Problem | undefined {
  if (peer.launchError !== undefined) return { kind: 'refused', text: `the command could not be started: ${peer.launchError}` };
  if (peer.exited !== undefined)
    return { kind: 'exited', text: `the process ended (${String(peer.exited)})${peer.stderr === '' ? '' : `; stderr: ${peer.stderr.trim().slice(-300)}`}` };
  if (settings.signal?.aborted === true) return { kind: 'stopped', text: 'the run was stopped' };
  return timedOut ? { kind: 'timeout', text: `no answer within ${String(settings.timeout)} ms` } : undefined;
}
