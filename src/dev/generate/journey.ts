import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ts } from 'ts-morph';

/** The function that a stage begins with, the word for the stage, and what it hands to the next one. */
const STAGES: Readonly<Record<string, { readonly stage: string; readonly yields: string }>> = {
  discover: { stage: 'discover', yields: 'files' },
  selectCandidates: { stage: 'prefilter', yields: 'candidates' },
  parse: { stage: 'parse', yields: 'trees' },
  detectFile: { stage: 'detect', yields: 'facts, findings' },
  link: { stage: 'link', yields: 'inventory' },
  judge: { stage: 'judge', yields: 'judged findings' },
  plan: { stage: 'plan', yields: 'work items' },
  runMilestone: { stage: 'rewrite', yields: 'changes' },
  prove: { stage: 'prove', yields: 'proofs' },
  writeChanges: { stage: 'write', yields: 'journal' },
};

/** A function or method of the engine, with the file that declares it. */
interface Body {
  readonly path: string;
  readonly node: ts.FunctionLikeDeclaration;
}

/** The engine by name: functions as `file#name`, methods by name alone, imports as `file#name` to what they name. */
interface Engine {
  readonly functions: ReadonlyMap<string, Body>;
  readonly methods: ReadonlyMap<string, readonly Body[]>;
  readonly imports: ReadonlyMap<string, { readonly path: string; readonly folder: string }>;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

function readEngine(): Engine {
  const functions = new Map<string, Body>();
  const methods = new Map<string, Body[]>();
  const imports = new Map<string, { path: string; folder: string }>();
  for (const name of readdirSync(join(root, 'engine'), { recursive: true, encoding: 'utf8' }).filter((entry) => entry.endsWith('.ts'))) {
    const path = `engine/${name.replaceAll('\\', '/')}`;
    const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionDeclaration(node) && node.name) functions.set(`${path}#${node.name.text}`, { path, node });
      if (ts.isMethodDeclaration(node)) methods.set(node.name.getText(file), [...(methods.get(node.name.getText(file)) ?? []), { path, node }]);
      if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
        const target = posix.join(posix.dirname(path), node.moduleSpecifier.text.replace(/\.js$/, '.ts'));
        const names = node.importClause?.namedBindings;
        if (names && ts.isNamedImports(names))
          for (const { name: local } of names.elements) imports.set(`${path}#${local.text}`, { path: target, folder: target.split('/')[0] ?? '' });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { functions, methods, imports };
}

/** Stages in the order in which `migrateRepository` first reaches them, found by following its calls through the engine. */
function stagesInCallOrder({ functions, methods, imports }: Engine): ReadonlyMap<string, string> {
  const order = new Map<string, string>();
  const seen = new Set<Body>();
  const enter = (name: string, body: Body | undefined, folder: string): void => {
    if (name in STAGES && !order.has(name)) order.set(name, folder);
    if (!body || seen.has(body)) return;
    seen.add(body);
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node)) return;
      const { expression } = node;
      if (ts.isIdentifier(expression)) {
        const imported = imports.get(`${body.path}#${expression.text}`);
        const callee = functions.get(`${imported?.path ?? body.path}#${expression.text}`);
        if (imported || callee) enter(expression.text, callee, imported?.folder ?? 'engine');
      } else if (ts.isPropertyAccessExpression(expression)) {
        const [only, ...others] = methods.get(expression.name.text) ?? [];
        // The front end that parses is a value; its folder is not an import of the engine.
        if (expression.name.text === 'parse' && expression.expression.getText() !== 'JSON') enter('parse', undefined, 'languages');
        else if (others.length === 0) enter(expression.name.text, only, 'engine');
      }
    };
    // Default values of parameters run before the body does.
    for (const part of [...body.node.parameters, body.node.body]) if (part) visit(part);
  };
  enter('migrateRepository', functions.get('engine/pipeline.ts#migrateRepository'), 'engine');
  return order;
}

/**
 * The journey of a repository as a Mermaid chart.
 * @throws Error when the pipeline does not reach every stage in the documented order: then the code or the documentation is wrong
 */
export function renderJourney(): string {
  const folders = stagesInCallOrder(readEngine());
  const reached = [...folders.keys()];
  const documented = Object.keys(STAGES);
  if (reached.join() !== documented.join()) throw new Error(`the pipeline calls ${reached.join(', ')}; documented is ${documented.join(', ')}`);
  const nodes = Object.entries(STAGES).map(([name, { stage }]) => `  ${stage}["${stage}<br/><small>${folders.get(name) ?? ''}</small>"]`);
  const arrows = Object.values(STAGES).flatMap(({ stage, yields }, index, all) => {
    const next = all[index + 1];
    return next ? [`  ${stage} -- ${yields} --> ${next.stage}`] : [];
  });
  return ['```mermaid', 'flowchart LR', ...nodes, ...arrows, '  rewrite -- rescan what changed --> parse', '```'].join('\n');
}
