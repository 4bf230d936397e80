import type { Need, Span } from '../../../src/core/index.js';
import {
  type Binding,
  type ImportedName,
  type PyNode,
  type PythonFile,
  enclosingFunction,
  importedNames,
  otherArms,
} from '../../../src/languages/python/index.js';
import { nodesOf } from '../../_mcp/python/nodes.js';
import { Edits, indentAt } from './edits.js';
import { isSecondLine } from './targets.js';

/** A place that a person has to look at. */
export interface Mark {
  /** Kind of the concern that speaks of it. */
  readonly kind: string;
  readonly at: Span;
  /** What to do, in one sentence. */
  readonly text: string;
}

/** A name that has to be imported at the top of the file. */
export interface Wanted {
  readonly module: string;
  readonly name: string;
  readonly as?: string;
}

/** The files of one item, and what spans them. */
export interface Project {
  readonly files: ReadonlyMap<string, PythonFile>;
  has(path: string): boolean;
}

/** One file on its way to SDK 2.x: what is edited, what is left, what has to be imported. */
export class Pass {
  readonly edits: Edits;
  readonly marks: Mark[] = [];
  readonly wanted: Wanted[] = [];
  readonly notes = new Set<string>();
  readonly needs: Need[] = [];
  /** Imported names that a part of the rewriter has replaced everywhere: their import goes. */
  readonly dropped = new Set<ImportedName>();
  /** Variables that held a `timedelta` and hold seconds now. */
  readonly inSeconds = new Set<Binding>();
  /** Arguments that are added at the end of a call, all at once. */
  readonly appended = new Map<PyNode, string[]>();

  constructor(
    readonly file: PythonFile,
    readonly project: Project,
  ) {
    this.edits = new Edits(file);
  }

  /** All nodes of a kind, in source order. */
  all(kind: string): readonly PyNode[] {
    return nodesOf(this.file, kind);
  }

  text(node: Span): string {
    return this.file.textOf(node);
  }

  /** Adds an argument at the end of a call. */
  append(call: PyNode, argument: string): void {
    const known = this.appended.get(call);
    if (!known) this.appended.set(call, [argument]);
    else if (!known.includes(argument)) known.push(argument);
  }

  mark(kind: string, at: Span, text: string): void {
    if (!this.marks.some((mark) => mark.kind === kind && mark.at.start === at.start && mark.text === text)) this.marks.push({ kind, at, text });
  }

  /**
   * Makes a name available at a place. A file that loads the SDK late, inside of functions, imports it there as well: without the SDK the
   * module must still load.
   */
  needAt(module: string, name: string, node: PyNode): string {
    const eager = importedNames(this.file).some(
      (each) => /^mcp(?:\.|$)/.test(each.module) && each.guard === undefined && each.statement.parent?.kind === 'module',
    );
    const fn = enclosingFunction(node);
    const first = fn?.get('body')?.children.find((child, index) => index > 0 || child.children[0]?.kind !== 'string');
    if (eager || !first || this.isTaken(name)) return this.need(module, name);
    const { text, eol } = this.file;
    this.edits.insert(first.start, `from ${module} import ${name}${eol}${indentAt(text, first.start)}`);
    return name;
  }

  /**
   * Makes a name available and says how it is spelled here: its own name, or an alias when the file uses that name for something else.
   */
  need(module: string, name: string): string {
    const known = importedNames(this.file).find(
      (imported) =>
        imported.form === 'from' &&
        imported.module === module &&
        imported.name === name &&
        imported.guard === undefined &&
        imported.statement.parent?.kind === 'module',
    );
    if (known?.local !== undefined) return known.local;
    const asked = this.wanted.find((want) => want.module === module && want.name === name);
    if (asked) return asked.as ?? asked.name;
    const as = this.isTaken(name)
      ? `${name === name.toUpperCase() ? 'MCP_' : name.startsWith(name.charAt(0).toUpperCase()) ? 'Sdk' : 'sdk_'}${name}`
      : undefined;
    this.wanted.push(as === undefined ? { module, name } : { module, name, as });
    return as ?? name;
  }

  /** True when any scope of the file binds the name, or reads it without binding it. */
  isTaken(name: string): boolean {
    return this.file.bindings.all.some((binding) => binding.name === name) || this.file.bindings.unresolved.some((node) => this.text(node) === name);
  }

  /** True for an import whose other arm is for SDK 2.x: code for both lines is left as it is. */
  isDual(imported: ImportedName): boolean {
    return otherArms(imported, this.file).some(({ form, module, name }) => isSecondLine(form === 'from' ? `${module}.${name}` : module));
  }

  usesOf(binding: Binding): readonly PyNode[] {
    return this.file.bindings.usesOf(binding);
  }
}
