import { factsOf, type Fact, type Finding, type Inventory } from '../../src/core/index.js';
import { brings } from './brought.js';
import { targetOf } from './rewrite/targets.js';

/** Kinds that speak of objects whose origin a single file cannot always show. */
const HANDED: ReadonlySet<string> = new Set([
  'camel-read',
  'patched-name',
  'camel-default',
  'camel-write',
  'camel-keyword',
  'union-wrapper',
  'sync-handler',
  'private-member',
  'empty-schema',
]);

/** Kinds that read the same on both lines of the SDK: they say something only where the code is on the first. */
export const SHARED: ReadonlySet<string> = new Set([
  'server-start',
  'lowlevel-server',
  'camel-keyword',
  'handshake-options',
  'sync-handler',
  'client-transport',
  'client-callback',
  'timeout-value',
  'context-type',
  'host-allow-list',
  'changed-behaviour',
  'undeclared-import',
]);

type SdkImport = Extract<Fact, { type: 'sdk-import' }>;

const onSecond = new WeakMap<readonly Fact[], Map<string, boolean>>();

const importsOf = (folder: string, facts: readonly Fact[]): readonly SdkImport[] =>
  facts.filter((fact): fact is SdkImport => fact.type === 'sdk-import' && (folder === '.' || fact.site.file.startsWith(`${folder}/`)));

/** An import that only the first line of the SDK has. */
const isFirstOnly = ({ sdk, module, names }: SdkImport): boolean =>
  sdk === 1 && (targetOf(module) !== undefined || names.some((name) => targetOf(`${module}.${name}`) !== undefined));

/** A requirement of one line beside code that is all of the other one, with the import that shows it. Code for both lines fits either. */
function skew(finding: Finding, facts: readonly Fact[]): Finding | undefined {
  const code = importsOf(finding.group ?? '.', facts).filter(({ form }) => form !== 'string');
  const [old, fresh] = [code.filter(isFirstOnly), code.filter(({ sdk }) => sdk === 2)];
  const [own, other] = finding.data.code === '1.x' ? [old, fresh] : [fresh, old];
  const [example] = own;
  return example === undefined || other.length > 0 ? undefined : { ...finding, related: [{ ...example.site, label: 'the code' }] };
}

/** True for a package that has moved: something of it is of the second line, and nothing is of the first alone. */
function hasMoved(folder: string, facts: readonly Fact[]): boolean {
  let known = onSecond.get(facts);
  if (!known) onSecond.set(facts, (known = new Map<string, boolean>()));
  let answer = known.get(folder);
  if (answer === undefined) {
    const own = importsOf(folder, facts);
    const first = own.some((fact) => (fact.sdk === 1 && fact.form === 'string') || isFirstOnly(fact));
    answer = !first && own.some((fact) => fact.sdk === 2);
    known.set(folder, answer);
  }
  return answer;
}

/** Nothing in the package or above it asks for what is imported or brings it along, and a manifest there asks for SDK 1.x, so one was read. */
function isUndeclared({ group, data, role }: Finding, facts: readonly Fact[]): boolean {
  if (role === 'test') return false;
  const around = factsOf(facts, 'requirement').filter(({ site }) => {
    const folder = site.file.includes('/') ? site.file.slice(0, site.file.lastIndexOf('/')) : '.';
    return folder === '.' || group === '.' || folder === group || folder.startsWith(`${group}/`) || group.startsWith(`${folder}/`);
  });
  const wanted = String(data.package);
  return around.some(({ name }) => name === 'mcp') && !around.some((each) => each.name === wanted || brings(each, wanted));
}

/** Drops what only matters beside the SDK: fields of objects in packages that do not use it. */
export function judge(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  const kind = finding.id.slice(finding.id.indexOf('/') + 1);
  if (SHARED.has(kind) && !(kind === 'timeout-value' && finding.certainty === 'certain') && hasMoved(finding.group ?? '.', facts)) return undefined;
  // What a document says, or an environment file sets, is about the package only when its code is on the first line.
  if (kind === 'stated-range' || (kind === 'settings-access' && !finding.site.file.endsWith('.py')))
    return importsOf(finding.group ?? '.', facts).some(({ sdk, module }) => sdk === 1 && /^mcp(?:\.|$)/.test(module)) ? finding : undefined;
  if (kind === 'changed-behaviour' && finding.data.tool !== undefined) {
    const open = factsOf(facts, 'open-schema').filter(({ tool }) => tool === finding.data.tool);
    return open.length === 0 ? undefined : { ...finding, related: open.map(({ site }) => ({ ...site, label: 'the schema' })) };
  }
  if (kind === 'undeclared-import') return isUndeclared(finding, facts) ? finding : undefined;
  if (kind === 'version-skew') return skew(finding, facts);
  if (kind === 'bot-group-major') return inventory.packages.some(({ sdk }) => sdk.includes(1)) ? finding : undefined;
  if (kind === 'conflicting-pin')
    // A package with code of both languages may need SDK v1 of the other one only.
    return importsOf(finding.group ?? '.', facts).some(({ sdk, module }) => sdk === 1 && /^mcp(?:\.|$)/.test(module)) ? finding : undefined;
  if (finding.certainty === 'certain' || !HANDED.has(kind)) return finding;
  return inventory.packages.some(({ sdk }) => sdk.length > 0) ? finding : undefined;
}
