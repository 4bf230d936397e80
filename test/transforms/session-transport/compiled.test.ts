import { expect, it } from 'vitest';
import { shimRenderer } from '../../../src/cli/templates.js';
import { migrateRepository } from '../../../src/engine/pipeline.js';
import { knowledge } from '../../../transforms/index.js';
import { withTree } from '../../fixtures-kit/tree.js';

const renderShim = await shimRenderer();

/** A ferry timetable on SDK v2, compiled for a target without async functions. `check` stands in front of the sessions. */
const compiled = (check: string): string => `"use strict";
var __awaiter = (this && this.__awaiter) || function (thisArg, _arguments, P, generator) {
    return new Promise(function (resolve, reject) {
        generator = generator.apply(thisArg, _arguments || []);
        function step(result) { result.done ? resolve(result.value) : Promise.resolve(result.value).then(function (value) { step(generator.next(value)); }, reject); }
        step(generator.next());
    });
};
const express = require("express");
const node_crypto_1 = require("node:crypto");
const server_1 = require("@modelcontextprotocol/server");
const node_1 = require("@modelcontextprotocol/node");
const members_1 = require("./members.js");
const app = express();
app.use(express.json());
const ferries = {};
function createFerry() {
    return new server_1.McpServer({ name: "ferry", version: "1.0.0" });
}
app.post("/mcp", (req, res) => __awaiter(void 0, void 0, void 0, function* () {
    ${check}
    const id = req.headers["mcp-session-id"];
    let ferry;
    if (id && ferries[id]) {
        ferry = ferries[id];
    }
    else if (!id && (0, server_1.isInitializeRequest)(req.body)) {
        ferry = new node_1.NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => (0, node_crypto_1.randomUUID)(), onsessioninitialized: (session) => { ferries[session] = ferry; } });
        yield createFerry().connect(ferry);
    }
    else {
        res.status(400).json({ jsonrpc: "2.0", error: { code: -32000, message: "No valid session" }, id: null });
        return;
    }
    yield ferry.handleRequest(req, res, req.body);
}));
app.listen(3000, "127.0.0.1");
`;

const MANIFEST = JSON.stringify({
  name: 'ferry',
  dependencies: { '@modelcontextprotocol/server': '^2.4.0', '@modelcontextprotocol/node': '^2.1.0', express: '^5.0.0' },
});

it.each([
  ['waits for the transport', '', 'applied'],
  ['asks somebody first', 'yield members_1.admit(req);', 'refused'],
])('a handler that __awaiter runs is read as an async function: it %s', async (_, check, expected) => {
  const files = new Map([
    ['package.json', MANIFEST],
    ['ferry.js', compiled(check)],
    ['members.js', 'exports.admit = (req) => { if (!req.headers.authorization) throw new Error("no member"); };\n'],
  ]);
  const outcomes = await withTree(files, async (root) => (await migrateRepository(root, knowledge, { legacy: 'sessionful', renderShim })).outcomes);
  expect(outcomes.find(({ item }) => item.startsWith('session-transport'))?.outcome).toBe(expected);
});
