import { ts } from 'ts-morph';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { indentOf, linesAt, startWithComments } from '../../_mcp/typescript/emit/edits.js';
import { nameText, statementOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { requestNames } from '../entry/names.js';
import type { Served } from '../served.js';
import { type Beside, type NoBeside, noBeside } from './model.js';
import { type Rename, pathBeside } from './path.js';

const VERB = /^(?:Get|Post|Put|Patch|Delete|All|Options|Head)$/;

/** A new method of the controller in front of the old ones. What decorates the class guards both. */
export function besideMethod(all: readonly Served[], file: TypeScriptFile, rename: Rename): Beside | NoBeside {
  const main = all.find(({ verbs }) => verbs.includes('POST')) ?? all.find(({ verbs }) => verbs.includes('ALL')) ?? all[0];
  const member = main?.node;
  if (main === undefined || member === undefined || !ts.isMethodDeclaration(member) || !ts.isClassDeclaration(member.parent))
    return { ok: false, reason: { why: 'no method of a controller was found', next: 'Add the modern route by hand.', sites: [] } };
  const decorators = ts.getDecorators(member) ?? [];
  const nameOf = ({ expression }: ts.Decorator): string => {
    const callee = unwrap(ts.isCallExpression(expression) ? expression.expression : expression);
    return ts.isIdentifier(callee) ? callee.text : '';
  };
  const strange = decorators.find((decorator) => !VERB.test(nameOf(decorator)) && nameOf(decorator) !== 'HttpCode');
  if (strange !== undefined)
    return noBeside(
      `\`${file.textOf(strange)}\` would not stand in front of the new method`,
      'Move it to the controller, so that it covers all of its methods.',
      file,
      strange,
    );
  const verb = decorators.find((decorator) => VERB.test(nameOf(decorator)))?.expression;
  const path = pathBeside(verb !== undefined && ts.isCallExpression(verb) ? verb.arguments[0] : undefined, main.path, rename, file);
  const names = requestNames(member);
  const [request, response] = names;
  const owner = member.parent;
  const place = statementOf(owner);
  if (path === undefined || place === undefined)
    return noBeside('the path of the route is no literal, so it cannot be told which path is free beside it', 'Add the modern route by hand.', file, member);
  if (request === undefined || response === undefined)
    return noBeside('the method does not take the request and the response', 'Take them as @Req() and @Res().', file, member);
  const used = new Set(owner.members.map((other) => nameText(other.name)));
  const name = ['serveModern', 'serveModernMcp', 'answerModernMcp'].find((wanted) => !used.has(wanted)) ?? 'serveModernMcp2';
  const parameters = member.parameters.filter((parameter) => ts.isIdentifier(parameter.name) && [request, response].includes(parameter.name.text));
  const first = [...all].map(({ node }) => node).sort((a, b) => a.pos - b.pos)[0] ?? member;
  return {
    ok: true,
    path: path.full,
    place,
    passed: [member.body ?? member],
    selectors: [],
    shared: [],
    form: main.form,
    names: [request, response],
    repeated: [],
    write({ declared, handled, mark }) {
      const unit = file.indentUnit;
      const indent = indentOf(first, file);
      const lines = [
        `@All(${path.text.replace(/^(['"`])\//, '$1')})`,
        `async ${name}(${parameters.map((parameter) => file.textOf(parameter)).join(', ')})${file.isJavaScript ? '' : ': Promise<void>'} {`,
        ...handled.map((line) => unit + line),
        '}',
        '',
        mark,
        '',
      ];
      const at = startWithComments(first, file);
      const top = startWithComments(place, file);
      return {
        changes: [
          {
            kind: 'edit',
            file: file.path,
            edits: [
              { start: top, end: top, text: linesAt([...declared, '', ''], indentOf(place, file), file) },
              { start: at, end: at, text: linesAt(lines, indent, file) + indent },
            ],
          },
        ],
        file: file.path,
        needs: [{ kind: 'import', file: file.path, module: '@nestjs/common', name: 'All' }],
      };
    },
  };
}
