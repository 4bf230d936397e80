import Handlebars from 'handlebars';
import {
  markdownCell,
  markdownCode,
  markdownFence,
  markdownProse,
  markdownTarget,
  markdownText,
  mermaidLabel,
  mermaidWords,
  type Phrase,
  type Site,
} from '../core/index.js';
import { CatalogueError, openCatalogue, type Catalogue, type Messages } from './messages.js';

/**
 * The template files, by name without ending: `runbook/document`, `runbook/endpoints`, `adr/document`, … The caller reads them (and lays
 * a user's own files over ours, name by name); nothing here touches the file system.
 */
export interface TemplatePort {
  readonly templates: Readonly<Record<string, string>>;
  readonly messages: Catalogue;
  /** Path from the document to the root of the repository, for links: `''` beside the root, `'../'` one folder down. */
  readonly root?: string;
}

/** A template is missing or broken. Names the template, so that the author of an override finds the place. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

const COUNT_SHOWN = 6;

/** Fills a sentence: a value between backticks in the sentence becomes inline code, any other is escaped as text. */
function fillSentence(sentence: string, data: Readonly<Record<string, string | number | boolean>>, key: string): string {
  return sentence.replace(/`\{(\w+)\}`|\{(\w+)\}/g, (_whole, code: string | undefined, text: string | undefined) => {
    const name = code ?? text ?? '';
    const value = data[name];
    if (value === undefined) throw new CatalogueError(`"${key}" names {${name}}, which is not given`);
    return code === undefined ? markdownText(String(value)) : markdownCode(String(value));
  });
}

/** A phrase as inline Markdown. */
export function phraseMarkdown(phrase: Phrase | string, messages: Messages): string {
  if (typeof phrase === 'string') return markdownProse(phrase);
  if ('text' in phrase) return markdownProse(phrase.text);
  return fillSentence(messages.raw(phrase.say), phrase.with ?? {}, phrase.say);
}

/** `file:line` as a link into the repository. */
const siteMarkdown = (site: Site, root: string): string => `[${markdownCode(`${site.file}:${site.line}`)}](${root}${markdownTarget(site.file)}#L${site.line})`;

/** Places of one kind: each line once, in order of file and line, the first few and then a count. */
function sitesMarkdown(sites: readonly Site[], root: string, all: boolean): string {
  const lines = new Map<string, Site>();
  for (const site of sites) if (!lines.has(`${site.file}:${site.line}`)) lines.set(`${site.file}:${site.line}`, site);
  const ordered = [...lines.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  if (ordered.length === 0) return '—';
  const shown = all ? ordered : ordered.slice(0, COUNT_SHOWN);
  const rest = ordered.length - shown.length;
  return shown.map((site) => siteMarkdown(site, root)).join(', ') + (rest > 0 ? `, +${rest}` : '');
}

type Options = Handlebars.HelperOptions;

/** Helpers through which every string of the model passes: the name of a helper is the place for which it escapes. */
function helpersFor(messages: Messages, root: string): Readonly<Record<string, Handlebars.HelperDelegate>> {
  return {
    /** Sentence of the catalogue by key; hash values fill it. */
    t: (key: string, options: Options) => fillSentence(messages.raw(key), options.hash as Record<string, string>, key),
    /** The same, for a key made of a fixed part and a value of the model. */
    tt: (prefix: string, value: string, options: Options) => fillSentence(messages.raw(`${prefix}.${value}`), options.hash as Record<string, string>, prefix),
    say: (phrase: Phrase | string) => phraseMarkdown(phrase, messages),
    cell: (phrase: Phrase | string | number) => markdownCell(phraseMarkdown(typeof phrase === 'number' ? String(phrase) : phrase, messages)),
    tcell: (key: string, options: Options) => markdownCell(fillSentence(messages.raw(key), options.hash as Record<string, string>, key)),
    /** Plain words on one line, for comments in a fenced block. */
    plain: (phrase: Phrase | string) => plainText(phraseMarkdown(phrase, messages)),
    text: (value: string | number) => markdownText(String(value)),
    code: (value: string | number) => markdownCode(String(value)),
    codecell: (value: string | number) => markdownCell(markdownCode(String(value))),
    /** Lines as they stand on the wire. */
    fence: (lines: readonly string[]) => markdownFence(lines.join('\n').trimEnd(), lines[0]?.startsWith('{') === true ? 'json' : 'http'),
    commands: (lines: readonly string[]) => markdownFence(lines.join('\n'), 'bash'),
    sites: (sites: readonly Site[]) => sitesMarkdown(sites, root, false),
    sitescell: (sites: readonly Site[]) => markdownCell(sitesMarkdown(sites, root, false)),
    allsites: (sites: readonly Site[]) => sitesMarkdown(sites, root, true),
    mermaid: (value: string) => mermaidLabel(value),
    /** A word that mermaid takes unquoted (ids, gantt titles): colons, semicolons and hashes would end it. */
    mermaidword: (value: Phrase | string | number) => mermaidWords(typeof value === 'object' ? plainText(phraseMarkdown(value, messages)) : String(value)),
    round: (value: number) => String(Math.round(value)),
    eq: (a: unknown, b: unknown) => a === b,
    any: (list: readonly unknown[] | undefined) => (list?.length ?? 0) > 0,
    /** Place in a list, counted from 1. */
    ordinal: (index: number) => index + 1,
    join: (list: readonly string[]) => list.map(markdownCode).join(', '),
  };
}

/** Markdown back to plain words, for diagrams. */
const plainText = (markdown: string): string => markdown.replace(/\\([\\`*_{}[\]<>#|~$!&.)+=-])/g, '$1').replace(/[`\u2060]/g, '');

/** What stands for a value in the sentences that are ours. */
const MUTED = '…';

/**
 * Helpers that leave out every string of the model: what is left are the sentences of templates and catalogue, for which this tool answers.
 * A finding may quote anything that a repository says.
 */
function mutedHelpers(messages: Messages): Readonly<Record<string, Handlebars.HelperDelegate>> {
  const sentence = (key: string): string => messages.raw(key).replace(/\{\w+\}/g, MUTED);
  const phrase = (value: Phrase | string | number): string => (typeof value === 'object' && 'say' in value ? sentence(value.say) : MUTED);
  const muted = (): string => MUTED;
  return {
    ...helpersFor(messages, ''),
    t: sentence,
    tt: (prefix: string, value: string) => sentence(`${prefix}.${value}`),
    tcell: sentence,
    ...Object.fromEntries(['say', 'cell', 'plain', 'mermaidword'].map((name) => [name, phrase])),
    ...Object.fromEntries(['text', 'code', 'codecell', 'fence', 'sites', 'sitescell', 'allsites', 'mermaid', 'join'].map((name) => [name, muted])),
  };
}

/** The same document without the strings of the model, for the check of our own sentences. @throws as `renderTemplate` */
export const renderMuted = (name: string, model: unknown, port: TemplatePort): string =>
  renderWith(name, model, port, mutedHelpers(openCatalogue(port.messages)));

/**
 * Renders one document of the port over a model.
 * @throws TemplateError when the template or one of its partials is missing or broken, CatalogueError for a missing sentence
 */
export const renderTemplate = (name: string, model: unknown, port: TemplatePort): string =>
  renderWith(name, model, port, helpersFor(openCatalogue(port.messages), port.root ?? ''));

function renderWith(name: string, model: unknown, port: TemplatePort, helpers: Readonly<Record<string, Handlebars.HelperDelegate>>): string {
  const source = port.templates[name];
  if (source === undefined) throw new TemplateError(`template "${name}" is missing`);
  const engine = Handlebars.create();
  for (const [helper, run] of Object.entries(helpers)) engine.registerHelper(helper, run);
  for (const [partial, text] of Object.entries(port.templates)) engine.registerPartial(partial, text);
  const knownHelpers = Object.fromEntries(Object.keys(helpers).map((helper) => [helper, true]));
  try {
    const render = engine.compile(source, { noEscape: true, strict: true, knownHelpersOnly: true, knownHelpers });
    return tidy(render(model));
  } catch (error) {
    if (error instanceof CatalogueError) throw error;
    throw new TemplateError(`template "${name}": ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** One empty line before a heading, at most one in a row, none at the end, one line break at the end; fenced blocks are left alone. */
function tidy(markdown: string): string {
  const out: string[] = [];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const opening = /^(`{3,})/.exec(line)?.[1] ?? '';
    if (fence === '' && opening !== '') fence = opening;
    else if (fence !== '' && line.trim() === fence) fence = '';
    const trimmed = fence === '' ? line.replace(/[ \t]+$/, '') : line;
    if (fence === '' && /^#{1,6} /.test(trimmed) && (out.at(-1) ?? '') !== '') out.push('');
    if (fence === '' && trimmed === '' && (out.at(-1) ?? '') === '') continue;
    out.push(trimmed);
  }
  while (out.at(-1) === '') out.pop();
  return `${out.join('\n')}\n`;
}

/** The documents that one model renders to. */
export const DOCUMENTS = ['runbook/document', 'runbook/summary-page', 'runbook/issue', 'adr/document'] as const;
export type DocumentName = (typeof DOCUMENTS)[number];
