import type { Setup } from './options.js';
import { isObject, SUBSCRIPTION_KEY, type Id, type Json } from './protocol.js';
import { envelope } from './methods.js';
import type { ModernRequest } from './modern.js';

/** Filter member of each change notification. */
const TYPES: Readonly<Record<string, string>> = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
};

interface Subscription {
  readonly id: Id;
  readonly wanted: ReadonlySet<string>;
  readonly send: (message: Json) => void;
  readonly end: () => void;
}

/** The open subscriptions of one instance. */
export class Subscriptions {
  private readonly open = new Set<Subscription>();

  constructor(private readonly setup: Setup) {}

  /** Acknowledges with the honoured subset; returns how to end it quietly. */
  add(request: ModernRequest, send: (message: Json) => void, end: () => void): () => void {
    const { setup } = this;
    const asked = isObject(request.params['notifications']) ? request.params['notifications'] : {};
    const honoured = Object.values(TYPES).filter((type) => asked[type] === true);
    const notifications = setup.has('acknowledges-everything')
      ? { ...asked, toolsListChanged: true }
      : Object.fromEntries(honoured.map((type) => [type, true]));
    const subscription = { id: request.id, wanted: new Set(honoured), send, end };
    if (setup.has('result-instead-of-acknowledgement')) {
      send({ jsonrpc: '2.0', id: request.id, result: envelope(setup, {}) });
      end();
      return () => undefined;
    }
    if (setup.has('change-before-acknowledgement')) send(this.tagged('notifications/tools/list_changed', {}, request.id));
    send(this.tagged('notifications/subscriptions/acknowledged', { notifications }, request.id));
    this.open.add(subscription);
    return () => this.open.delete(subscription);
  }

  /** Sends a change to those that asked for it. */
  announce(method: string): void {
    const { setup } = this;
    if (setup.has('announces-nothing')) return;
    const newest = [...this.open].at(-1);
    for (const subscription of this.open) {
      if (setup.has('one-subscription') && subscription !== newest) continue;
      if (!subscription.wanted.has(TYPES[method] ?? '') && !setup.has('ignores-filter')) continue;
      if (setup.has('progress-on-subscription'))
        subscription.send(this.tagged('notifications/progress', { progressToken: 'pt-56', progress: 1 }, subscription.id));
      subscription.send(
        setup.has('untagged-changes')
          ? { jsonrpc: '2.0', method }
          : this.tagged(method, {}, setup.has('mixes-subscriptions') ? (newest?.id ?? 0) : subscription.id),
      );
    }
  }

  /** Ends all subscriptions with a result; over stdio also with `notifications/cancelled`. */
  close(stdio: boolean): void {
    for (const { id, send, end } of this.open) {
      if (!this.setup.has('ends-silently'))
        send({ jsonrpc: '2.0', id, result: envelope(this.setup, { _meta: { [SUBSCRIPTION_KEY]: this.setup.has('closing-tag-differs') ? 'other' : id } }) });
      if (stdio && !this.setup.has('ends-silently'))
        send(this.tagged('notifications/cancelled', { requestId: this.setup.has('closing-tag-differs') ? 'other' : id }, id));
      end();
    }
    this.open.clear();
  }

  /** Ends the subscription with this id without a word. */
  cancel(id: unknown): void {
    for (const subscription of this.open) if (subscription.id === id && !this.setup.has('ignores-cancel')) this.open.delete(subscription);
  }

  private tagged(method: string, params: Json, id: Id): Json {
    const tag = this.setup.has('subscription-id-as-text') ? String(id) : this.setup.has('own-subscription-ids') ? `sub-${String(id)}` : id;
    return { jsonrpc: '2.0', method, params: { ...params, ...(this.setup.has('no-subscription-id') ? {} : { _meta: { [SUBSCRIPTION_KEY]: tag } }) } };
  }
}
