import type { Span } from '../../../core/index.js';
import { insertLine } from './insertion.js';
import { parseRequirement, type Requirement } from './requirement.js';

interface Line {
  readonly start: number;
  readonly text: string;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  const pattern = /[^\r\n]*(?:\r\n|\n|\r|$)/g;
  for (let match = pattern.exec(text); match && match[0] !== ''; match = pattern.exec(text))
    lines.push({ start: match.index, text: match[0].replace(/[\r\n]+$/, '') });
  return lines;
}

/** Requirements of a pip requirements or constraints file; options and included files are left alone. */
export function fileRequirements(text: string, constraints: boolean): readonly Requirement[] {
  const lines = linesOf(text);
  return lines.flatMap((line, index): readonly Requirement[] => {
    const content = index === 0 ? line.text.replace(/^\uFEFF/, ' ') : line.text;
    if (/^\s*(?:#|-|$)/.test(content) || lines[index - 1]?.text.trimEnd().endsWith('\\') === true) return [];
    const continued = content.trimEnd().endsWith('\\');
    const bare = content.replace(/\s+--.*$|\s*\\\s*$/, '');
    const found = parseRequirement(bare, line.start);
    if (!found) return [];
    const hashed = content.includes('--hash') || (continued && (lines[index + 1]?.text ?? '').includes('--hash'));
    return [
      {
        ...found,
        place: constraints ? 'constraints' : 'requirements',
        purpose: constraints ? 'constraint' : 'runtime',
        ...(hashed ? { frozen: 'it is pinned with hashes; compile the file anew' } : {}),
        ...(continued ? {} : { beside: (name: string, specifier: string) => insertLine(text, line.start, name + specifier) }),
      },
    ];
  });
}

/** Requirements of the lists in a `setup.cfg`, one a line below their key. */
export function cfgRequirements(text: string): readonly Requirement[] {
  let section = '';
  let key = '';
  return linesOf(text).flatMap((line): readonly Requirement[] => {
    const header = /^\[([^\]]+)\]/.exec(line.text);
    if (header) {
      section = header[1] ?? '';
      key = '';
      return [];
    }
    const assignment = /^([^\s#;=:][^=:]*?)\s*[=:]\s*(.*)$/.exec(line.text);
    if (assignment) key = assignment[1] ?? '';
    const purpose =
      section === 'options' && key === 'install_requires'
        ? 'runtime'
        : section === 'options.extras_require' || (section === 'options' && key === 'tests_require')
          ? 'extra'
          : section === 'options' && key === 'setup_requires'
            ? 'build'
            : undefined;
    if (!purpose || /^\s*(?:[#;]|$)/.test(line.text)) return [];
    const content = assignment ? (assignment[2] ?? '') : line.text;
    const start = line.start + line.text.length - content.length;
    if (content.trim() === '') return [];
    const found = parseRequirement(content, start);
    if (!found) return [];
    return [
      {
        ...found,
        place: `${section}.${key}`,
        purpose,
        ...(assignment ? {} : { beside: (name: string, specifier: string) => insertLine(text, line.start, name + specifier) }),
      },
    ];
  });
}

/** `python_requires` of a `setup.cfg`. */
export function cfgPython(text: string): readonly { readonly specifier: string; readonly span: Span }[] {
  return linesOf(text).flatMap((line) => {
    const match = /^(python_requires\s*[=:]\s*)(\S.*?)\s*$/.exec(line.text);
    if (!match) return [];
    const start = line.start + (match[1]?.length ?? 0);
    return [{ specifier: match[2] ?? '', span: { start, end: start + (match[2]?.length ?? 0) } }];
  });
}
