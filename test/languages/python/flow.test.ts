import { describe, expect, it } from 'vitest';
import { typesOf, typeText, type TypeFacts } from '../../../src/languages/python/index.js';
import { given, node } from './given.js';

const RETURNS: Readonly<Record<string, string>> = {
  'sdk.Session': 'sdk.Session',
  'sdk.Tool': 'sdk.Tool',
  'sdk.connect': 'enter[tuple[sdk.Read, sdk.Write]]',
  'sdk.Session.list_tools': 'sdk.Tools',
};
const MEMBERS: Readonly<Record<string, string>> = { 'sdk.Tools.tools': 'list[sdk.Tool]', 'sdk.Tool.schema': 'dict' };
const facts: TypeFacts = { canonical: (path) => path, returns: (path) => RETURNS[path], member: (owner, name) => MEMBERS[`${owner}.${name}`] };

const types = (text: string, at: string): readonly string[] => {
  const file = given(`from sdk import Session, Tool, connect\n${text}`);
  return typesOf(node(file, at), file, facts).map(typeText);
};

describe('types by local flow', () => {
  it.each([
    ['constructor', 'session = Session()\nsession\n', 'session', ['sdk.Session']],
    ['with', 'async def f():\n    async with connect(u) as (r, w), Session(r, w) as session:\n        session\n        w\n', 'w', ['sdk.Write']],
    ['with of a class', 'async def f():\n    async with Session(1) as session:\n        session\n', 'session', ['sdk.Session']],
    ['exit stack', 'async def f(stack):\n    r, w = await stack.enter_async_context(connect(u))\n    r\n', 'r', ['sdk.Read']],
    ['annotation', 'def f(session: "Session | None" = None):\n    session\n', 'session', ['sdk.Session']],
    ['optional', 'from typing import Optional\ndef f(session: Optional[Session]):\n    session\n', 'session', ['sdk.Session']],
    [
      'awaited result and loop',
      'async def f(session: Session):\n    result = await session.list_tools()\n    for tool in result.tools:\n        tool\n',
      'tool',
      ['sdk.Tool'],
    ],
    ['comprehension', 'async def f(s: Session):\n    return [t.schema for t in (await s.list_tools()).tools]\n', 't', ['sdk.Tool']],
    [
      'field of self',
      'class Hub:\n    def __init__(self):\n        self.session = Session()\n    async def all(self):\n        return (await self.session.list_tools()).tools[0]\n',
      '(await self.session.list_tools()).tools[0]',
      ['sdk.Tool'],
    ],
    ['declared field', 'class Hub:\n    session: Session | None = None\n    def get(self):\n        return self.session\n', 'self.session', ['sdk.Session']],
    [
      'dictionary of a class',
      'class Hub:\n    def __init__(self):\n        self.all: dict[str, Session] = {}\n    def get(self, k):\n        return self.all.get(k)\n',
      'self.all.get(k)',
      ['sdk.Session'],
    ],
    [
      'filled list',
      'async def f(s: Session):\n    found = []\n    found.extend((await s.list_tools()).tools)\n    for t in found:\n        t\n',
      't',
      ['sdk.Tool'],
    ],
    ['function of the file', 'def make():\n    return Session()\ns = make()\ns\n', 's', ['sdk.Session']],
    [
      'context manager of the file',
      'from contextlib import asynccontextmanager\n@asynccontextmanager\nasync def opened():\n    async with Session() as s:\n        yield s\nasync def f():\n    async with opened() as mine:\n        mine\n',
      'mine',
      ['sdk.Session'],
    ],
    ['fixture', 'import pytest\n@pytest.fixture\ndef session():\n    yield Session()\ndef test_it(session):\n    session.x\n', 'session', ['sdk.Session']],
    ['subclass', 'class Mine(Session):\n    pass\nasync def f():\n    return await Mine().list_tools()\n', 'await Mine().list_tools()', ['sdk.Tools']],
    ['two arms', 'x = Session() if a else Tool()\nx\n', 'x', ['sdk.Session', 'sdk.Tool']],
    ['nothing', 'def f(tool):\n    return tool.schema\n', 'tool', []],
  ])('%s', (_what, text, at, expected) => {
    expect(types(text, at)).toEqual(expected);
  });
});
