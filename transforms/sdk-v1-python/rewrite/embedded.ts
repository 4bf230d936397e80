import { applyEdits } from '../../../src/core/index.js';
import { type PyNode, argumentsOf, calledName, contentSpan, editImports, parse, stringValue } from '../../../src/languages/python/index.js';
import type { Migrated } from './migrate.js';
import type { Pass, Project } from './pass.js';

/** Programs in strings: text that this repository runs is migrated like a file; text that it only keeps is data. */
export function moveEmbedded(pass: Pass, migrate: (project: Project) => ReadonlyMap<string, Migrated>): void {
  for (const node of pass.all('string')) {
    const span = contentSpan(node);
    const source = span && /\bmcp\b/.test(pass.text(span)) ? stringValue(node, pass.file) : undefined;
    // With escapes the text of the literal is not the text of the program.
    if (!span || source === undefined || source !== pass.text(span) || !/(?:^|\n|;)[ \t]*(?:from|import)[ \t]+mcp\b/.test(source) || !isExecuted(pass, node, 0))
      continue;
    const { text, indent } = dedent(source);
    const { file } = parse('program.py', text);
    if (!file) continue;
    const done = migrate({ files: new Map([['program.py', file]]), has: () => false }).get('program.py');
    if (!done) continue;
    if (done.needs.length > 0) {
      pass.mark('embedded-source', node, 'This program uses the low-level server: it needs the adapter of the handlers beside it.');
      continue;
    }
    const edited = parse('program.py', applyEdits(text, done.edits));
    if (!edited.file) continue;
    const moved = applyEdits(edited.file.text, editImports(edited.file, [], done.wanted));
    pass.edits.replace(
      span,
      moved
        .split('\n')
        .map((line) => (line.trim() === '' ? line : indent + line))
        .join('\n'),
    );
    for (const mark of done.marks) pass.mark('embedded-source', node, mark.text);
  }
}

function dedent(source: string): { readonly text: string; readonly indent: string } {
  const indents = source.split('\n').flatMap((line) => (line.trim() === '' ? [] : [/^[ \t]*/.exec(line)?.[0] ?? '']));
  const indent = indents.reduce((shared, each) => (each.startsWith(shared) ? shared : shared.startsWith(each) ? each : ''), indents[0] ?? '');
  return {
    indent,
    text: source
      .split('\n')
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join('\n'),
  };
}

/** A chain of variables longer than this is nobody's code. */
const MAX_DEPTH = 6;

/** Is the text given to an interpreter: `exec`, `python -c`, a file that is named as a program? */
function isExecuted(pass: Pass, node: PyNode, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  const parent = node.parent;
  if (!parent) return false;
  if (parent.kind === 'list' || parent.kind === 'argument_list') {
    const before = parent.children[parent.children.indexOf(node) - 1];
    if (before && stringValue(before, pass.file) === '-c') return true;
  }
  if (parent.kind === 'argument_list') {
    const call = parent.parent;
    const called = call?.kind === 'call' ? calledName(call, pass.file) : undefined;
    if (!call || called === undefined) return false;
    if (/^(?:exec|eval|compile|run_python|run_code)$/.test(called)) return true;
    if (/^(?:write_text|write)$/.test(called)) return writesProgram(pass, call);
    return called === 'dedent' && isExecuted(pass, call, depth + 1);
  }
  if (parent.kind === 'parenthesized_expression') return isExecuted(pass, parent, depth + 1);
  if (parent.kind === 'attribute' && node.field === 'object' && parent.parent?.kind === 'call')
    return /^(?:strip|lstrip|encode)$/.test(pass.text(parent.get('attribute') ?? node)) && isExecuted(pass, parent.parent, depth + 1);
  if (parent.kind !== 'assignment' || node.field !== 'right') return false;
  const left = parent.get('left');
  const binding = left?.kind === 'identifier' ? pass.file.bindings.of(left) : undefined;
  return binding?.sites.length === 1 && pass.usesOf(binding).some((use) => isExecuted(pass, use, depth + 1));
}

/** `path.write_text(source)`, where the path is one of a program. */
function writesProgram(pass: Pass, call: PyNode): boolean {
  const object = call.get('function')?.get('object');
  if (!object) return false;
  if (/\.py["']/.test(pass.text(object))) return true;
  const site = object.kind === 'identifier' ? pass.file.bindings.of(object)?.sites[0] : undefined;
  const from = site && (site.how === 'with' || site.how === 'assign') ? pass.text(site.node) : '';
  return /\.py["']/.test(from) || argumentsOf(call, pass.file).positional.some((value) => /\.py["']/.test(pass.text(value)));
}
