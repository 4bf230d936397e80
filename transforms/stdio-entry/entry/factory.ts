import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type Declaration, type TypeScriptFile, declarationOf, eachNode, symbolOf, symbolOfDeclaration } from '../../../src/languages/typescript/index.js';
import { indentOf } from '../../_mcp/typescript/emit/edits.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { isFunctionNode, isWithin, statementOf, unwrap, unwrapAwait } from '../../_mcp/typescript/nodes.js';
import { serverClass } from '../../_mcp/typescript/sdk.js';
import { factories, type ServerSource } from '../../_mcp/typescript/servers.js';
import { awaits, excludes, handshakeHook, isEager, obstacleIn } from './movable.js';
import { BY_HAND, type Builder, type NoEntryPlan, stop } from './model.js';
import { type BlockLike, type Line, callOn, declaredIn, isCalledOnce, lineOf } from './line.js';
import { type Run, removeRun, runText, runsOf } from './move.js';

/** What the handshake hook means for modern clients; the marker says it in the code. */
export const HANDSHAKE = 'clients of 2026-07-28 never send `notifications/initialized`: what `oninitialized` does for them has to happen per request';

/** Finds or makes the factory for a server that a variable holds, or that is built where it is connected. */
export function builderOf(
  source: ServerSource,
  receiver: ts.Node,
  connect: ts.CallExpression,
  file: TypeScriptFile,
  has: (path: string) => boolean,
  suffix: string,
): Builder | NoEntryPlan {
  const { made, variable } = source;
  const node = variable?.node;
  if (variable?.kind === 'import')
    return stop(
      `\`${file.textOf(receiver)}\` is built in another file`,
      'Export a function that builds the server there, and hand it to `serveStdio` here.',
      file,
      connect,
    );
  if (node !== undefined && ts.isParameter(node))
    return stop(`\`${file.textOf(receiver)}\` is handed in, so it exists before the entry asks for a server`, BY_HAND, file, connect);
  if (made === undefined || (ts.isNewExpression(made) && serverClass(made.expression, file) === undefined))
    return stop(`it could not be followed how \`${file.textOf(receiver)}\` is built`, BY_HAND, file, connect);
  const proof = ts.isCallExpression(made) ? builderProof(made, source, file, has) : { ok: true as const, builder: undefined };
  if (!proof.ok) return proof;
  const empty = { edits: [], todo: [], notes: [], closings: [], keeps: false, builder: proof.builder, member: source.member };
  const home = statementOf(connect);
  if (home === undefined) return stop('the connection stands in no statement', BY_HAND, file, connect);
  if (variable === undefined) return { ok: true, expression: arrow(made, source, file), ...empty, home };
  const declared = node === undefined ? undefined : statementOf(node);
  if (declared === undefined || !ts.isVariableStatement(declared) || declared.declarationList.declarations.length !== 1 || !isWithin(made, declared))
    return stop(`\`${variable.name}\` is not built in a statement of its own`, BY_HAND, file, node ?? connect);
  const line = lineOf(variable, declared, connect, file);
  if (line.stray !== undefined) return stop(line.stray.why, BY_HAND, file, line.stray.node);
  return fromLine(line, variable, source, made, connect, file, proof.builder, suffix);
}

function fromLine(
  line: Line,
  server: Declaration,
  source: ServerSource,
  made: ts.NewExpression | ts.CallExpression,
  connect: ts.CallExpression,
  file: TypeScriptFile,
  builder: Builder['builder'],
  suffix: string,
): Builder | NoEntryPlan {
  const { declared, moved, late, others, closings, bound } = line;
  const exported = hasExport(declared) || others.some((use) => isExport(use));
  const strange = others.find((use) => !isExport(use) && !isOtherTransport(use) && !excludes(use, connect));
  if (strange !== undefined) return stop(`\`${server.name}\` is also used outside of its construction`, BY_HAND, file, strange);
  const keeps = exported || others.length > 0;
  const statements = [...moved, ...late];
  const hidden = statements.find((statement) => statement !== declared && hasExport(statement));
  if (hidden !== undefined) return stop('a function or value that belongs to the server is exported', BY_HAND, file, hidden);
  const own = (declaration: Declaration): boolean => bound.has(declaration) || statements.some((statement) => isWithin(declaration.node, statement));
  const obstacle = obstacleIn(statements, own, file);
  if (obstacle !== undefined) return stop(obstacle.why, BY_HAND, file, obstacle.node);
  if (late.size > 0 && (keeps || !isCalledOnce(connect, file)))
    return stop('the function that connects the server also registers on it, and may run more than once', BY_HAND, file, [...late][0] ?? connect);
  const foreign = lateLocals(line, own, file);
  if (foreign !== undefined) return stop(`a registration needs \`${foreign.text}\`, which exists only where the server is connected`, BY_HAND, file, foreign);
  const siblings = declaredIn(declared, file).filter(
    (declaration) => declaration !== server && file.bindings.usesOf(declaration).some((use) => !statements.some((statement) => isWithin(use, statement))),
  );
  if (siblings[0] !== undefined)
    return stop(`\`${siblings[0].name}\`, which is built together with the server, is used elsewhere`, BY_HAND, file, siblings[0].node);
  const hook = handshakeHook(statements);
  const common = {
    ok: true as const,
    todo: hook === undefined ? [] : [HANDSHAKE],
    closings,
    keeps,
    builder,
    member: source.member,
    home: declared,
    ...(exported ? { exported: symbolOfDeclaration(server, file) } : {}),
  };
  if (statements.length === 1 && !keeps && canInline(made, connect, file)) {
    const [run] = runsOf(moved, line.list, file);
    return { ...common, expression: arrow(made, source, file), edits: run === undefined ? [] : [removeRun(run, file)], notes: [] };
  }
  const name = freeName(`createMcpServer${suffix}`, file);
  return {
    ...common,
    expression: name,
    edits: written(line, server, name, keeps, file),
    notes: [`Construction of the server is now \`${name}\`; what the process shares stays outside of it.`],
  };
}

/** The function in place of the last statement that moves; the others are taken out. */
function written(line: Line, server: Declaration, name: string, keeps: boolean, file: TypeScriptFile): readonly TextEdit[] {
  const { declared, moved, late, list } = line;
  const runs = runsOf(moved, list, file);
  const target = runs.at(-1);
  const base = indentOf(declared, file);
  const inner = base + file.indentUnit;
  const { eol } = file;
  const lateRuns = [...new Set([...late].map((statement) => statement.parent))].flatMap((parent) => runsOf(late, (parent as BlockLike).statements, file));
  if (target === undefined) return [];
  const parts = [...runs, ...lateRuns].map((run) => withoutExport(run, declared, runText(run, inner, file), file));
  const asynchronous = awaits([...moved, ...late].filter((statement) => !ts.isFunctionDeclaration(statement)));
  const keyword = file.textOf(declared.declarationList).startsWith('let') ? 'let' : 'const';
  const text = [
    '// Runs once for each connection, and once more for a probe: what the process shares stays outside of it.',
    `${base}${asynchronous ? 'async ' : ''}function ${name}() {`,
    parts.join(eol + (parts.length > 1 ? eol : '')),
    `${inner}return ${server.name};`,
    `${base}}`,
    ...(keeps ? [`${base}${hasExport(declared) ? 'export ' : ''}${keyword} ${server.name} = ${asynchronous ? 'await ' : ''}${name}();`] : []),
  ].join(eol);
  // The function stands apart from the statement that follows it.
  const close = /^[ \t]*\r?\n[ \t]*(?=[^\s}])/.test(file.text.slice(target.end)) ? eol : '';
  return [{ start: target.start, end: target.end, text: text + close }, ...[...runs.slice(0, -1), ...lateRuns].map((run) => removeRun(run, file))];
}

const withoutExport = (run: Run, declared: ts.VariableStatement, text: string, file: TypeScriptFile): string =>
  run.statements.includes(declared) && hasExport(declared)
    ? text.replace(new RegExp(`export (?=${file.textOf(declared.declarationList).slice(0, 5)})`), '')
    : text;

const hasExport = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const isExport = (use: ts.Identifier): boolean => ts.isExportSpecifier(use.parent) || ts.isExportAssignment(use.parent) || ts.isTypeQueryNode(use.parent);

const isOtherTransport = (use: ts.Identifier): boolean => {
  const call = callOn(use);
  return call !== undefined && ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'connect';
};

/** A name of the connecting function in a registration that moves out of it. */
function lateLocals(line: Line, own: (declaration: Declaration) => boolean, file: TypeScriptFile): ts.Identifier | undefined {
  let found: ts.Identifier | undefined;
  for (const statement of line.late)
    eachNode(statement, (node) => {
      if (!ts.isIdentifier(node) || found !== undefined) return;
      const declaration = declarationOf(node, file);
      if (declaration === undefined || own(declaration) || isWithin(line.declared, declaration.scope.node)) return;
      found = node;
    });
  return found;
}

/** `() => buildServer(config)`, with the member that holds the server. */
function arrow(made: ts.NewExpression | ts.CallExpression, source: ServerSource, file: TypeScriptFile): string {
  const member = source.member === undefined ? '' : /^\d+$/.test(source.member) ? `[${source.member}]` : `.${source.member}`;
  const text = file.textOf(made);
  return source.awaited && member !== '' ? `async () => (await ${text})${member}` : `() => ${text}${member}`;
}

/** Do the arguments mean the same where the server is connected, each time? */
function canInline(made: ts.NewExpression | ts.CallExpression, connect: ts.CallExpression, file: TypeScriptFile): boolean {
  const text = file.textOf(made);
  if (text.includes('\n') && !isWithin(statementOf(connect) ?? connect, statementOf(made)?.parent ?? made)) return false;
  let fine = true;
  eachNode(made, (node) => {
    const declaration = ts.isIdentifier(node) ? declarationOf(node, file) : undefined;
    if (declaration !== undefined && !isWithin(declaration.node, made) && !isWithin(connect, declaration.scope.node)) fine = false;
  });
  return fine;
}

/** Is a call known to build a new server each time, and nothing else? A function of another file is asked for when all files are known. */
export function builderProof(
  made: ts.CallExpression,
  source: ServerSource,
  file: TypeScriptFile,
  has: (path: string) => boolean,
): { readonly ok: true; readonly builder: Builder['builder'] } | NoEntryPlan {
  const symbol = source.factory ?? symbolOf(unwrap(made.expression), file, has);
  const name = file.textOf(made.expression);
  if (symbol === undefined) return stop(`it could not be followed what \`${name}\` does`, BY_HAND, file, made);
  const argument = made.arguments.find((value) => !isRepeatable(value));
  if (argument !== undefined)
    return stop(`\`${file.textOf(argument)}\` would be evaluated for each connection`, 'Put the value into a constant in front of the call.', file, argument);
  if (symbol.file !== file.path) return { ok: true, builder: symbol };
  const factory = factories(file).find((candidate) => candidate.symbol.name === symbol.name);
  if (factory === undefined) return stop(`\`${name}\` is not known to build a new server each time`, BY_HAND, file, made);
  if (factory.returns === 'wrapped' && source.member === undefined) return stop(`\`${name}\` returns the server with other values`, BY_HAND, file, made);
  if (factory.starts || factory.release !== undefined)
    return stop(`\`${name}\` starts what \`${factory.release ?? ''}\` has to stop, for a probe that is discarded too`, BY_HAND, file, factory.fn);
  const [effect] = factory.effects;
  if (effect !== undefined)
    return stop(
      `\`${name}\` does more than build a server, and may run twice`,
      'Move timers, listeners and writes to outer variables out of it.',
      file,
      effect,
    );
  return { ok: true, builder: undefined };
}

/** A value that may be read again: names, literals, members, and literals of these. */
function isRepeatable(node: ts.Node): boolean {
  const value = unwrapAwait(node);
  if (ts.isIdentifier(value) || ts.isLiteralExpression(value) || isFunctionNode(value) || value.kind === ts.SyntaxKind.ThisKeyword) return true;
  let fine = true;
  eachNode(value, (inner) => {
    if ((ts.isCallExpression(inner) || ts.isNewExpression(inner) || ts.isAwaitExpression(inner)) && isEager(inner, value)) fine = false;
  });
  return fine;
}
