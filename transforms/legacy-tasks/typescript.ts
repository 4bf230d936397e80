import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { constantOf } from '../../src/languages/typescript/index.js';
import { roleOfMethod } from '../_mcp/methods.js';
import { dialectOf, speaksMcp } from '../_mcp/typescript/dialect.js';
import { calledMember, memberName, nameText, unwrap } from '../_mcp/typescript/nodes.js';

export type Kind = 'task-surface' | 'task-message';

const SCHEMAS = /^(?:GetTask|GetTaskPayload|ListTasks|CancelTask|TaskStatusNotification|CreateTask)\w*Schema$/;
const CALLS: ReadonlySet<string> = new Set(['registerToolTask', 'callToolStream', 'getTaskResult', 'cancelTask', 'listTasks', 'requestStream']);

/** Reports the experimental task interface of SDK v1 and task messages that are made by hand. */
export const typescript: Detector<'typescript', Kind> = (file, report) => {
  if (dialectOf(file).implementation || !speaksMcp(file)) return {};
  const say = (kind: Kind, node: ts.Node, call: string): void => {
    report.finding(kind, file.span(node), { group: 'tasks', certainty: dialectOf(file).sdk ? 'certain' : 'likely', data: { call } });
  };
  return {
    NewExpression(node) {
      if (ts.isIdentifier(node.expression) && /^InMemoryTask(?:Store|MessageQueue)$/.test(node.expression.text))
        say('task-surface', node, `new ${node.expression.text}`);
    },
    PropertyAccessExpression(node) {
      if (node.name.text === 'tasks' && memberName(unwrap(node.expression)) === 'experimental') say('task-surface', node, 'experimental.tasks');
    },
    PropertyAssignment(node) {
      const name = nameText(node.name);
      if (name === 'taskStore' || name === 'taskMessageQueue' || name === 'taskSupport') say('task-surface', node, name);
      if (name !== 'method') return;
      const method = constantOf(node.initializer, file);
      if (typeof method === 'string' && roleOfMethod(method) === 'task') say('task-message', node, method);
    },
    ShorthandPropertyAssignment(node) {
      if (node.name.text === 'taskStore' || node.name.text === 'taskMessageQueue') say('task-surface', node, node.name.text);
    },
    CallExpression(call) {
      const method = calledMember(call);
      if (method === undefined) return;
      const [first] = call.arguments;
      if (method === 'setRequestHandler' && first !== undefined) {
        const name = constantOf(first, file) ?? unwrap(first).getText(file.tree);
        if (typeof name === 'string' && (SCHEMAS.test(name) || roleOfMethod(name) === 'task')) say('task-message', first, name);
      } else if (CALLS.has(method) && /task/i.test(call.expression.getText(file.tree))) say('task-surface', call, method);
    },
    CaseClause(node) {
      const method = constantOf(node.expression, file);
      if (typeof method === 'string' && roleOfMethod(method) === 'task') say('task-message', node.expression, method);
    },
  };
};
