import type { RewriteContext, Site } from '../../../src/core/index.js';
import type { Files } from '../declared.js';
import type { Obstacle } from './bindings.js';
import type { Repair } from './context.js';
import type { Draft } from './draft.js';
import type { EventStoreUse } from './event-store.js';
import type { Todo } from './markers.js';

/** A step that stays, at an offset of the original text. */
export interface Kept extends Pick<Todo, 'kind' | 'text'> {
  readonly path: string;
  readonly original: number;
}

/** One run over the packages of an item. */
export class Migration {
  readonly drafts = new Map<string, Draft>();
  readonly kept: Kept[] = [];
  readonly obstacles: { readonly path: string; readonly original: number; readonly why: string; readonly next: string }[] = [];
  readonly notes = new Set<string>();
  /** Returns of request handlers whose type nobody can name without the type check. */
  readonly untyped: Site[] = [];
  /** Registrations of tools that come from a table. */
  readonly tables: Site[] = [];
  /** Keys that went because v2 does not know them. */
  readonly removed: (Site & { readonly what: string })[] = [];
  /** By path of the file. */
  readonly eventStores = new Map<string, EventStoreUse>();

  constructor(readonly context: RewriteContext) {}

  files(): Files {
    const drafts = this.drafts;
    return { get: (path) => drafts.get(path)?.file, has: (path) => drafts.has(path) || this.context.exists(path), paths: [...drafts.keys()] };
  }

  /** With files that are not rewritten, because they do not speak of the SDK: a name may come from there. */
  readable(): Files {
    return { ...this.files(), get: (path) => this.drafts.get(path)?.file ?? this.context.file('typescript', path) };
  }

  note(draft: Draft, todos: readonly Todo[]): void {
    for (const { node, file, kind, text } of todos) {
      if (file === draft.file) this.kept.push({ path: draft.path, original: draft.toOriginal(node.getStart(file.tree)), kind, text });
    }
  }

  refuse(draft: Draft, obstacles: readonly Obstacle[]): void {
    for (const { node, file, why, next } of obstacles)
      this.obstacles.push({ path: draft.path, original: draft.toOriginal(node.getStart(file.tree)), why, next });
  }

  /** Applies what a pass over all files found, file by file; markers are noted first, while their nodes are those of the draft. */
  applyAll(repairs: ReadonlyMap<string, Repair>, stage: string): void {
    for (const [path, { edits, todos }] of repairs) {
      const draft = this.drafts.get(path);
      if (!draft) continue;
      this.note(draft, todos);
      draft.apply(edits, stage);
    }
  }
}
