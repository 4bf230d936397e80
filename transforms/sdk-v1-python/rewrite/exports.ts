import { type PythonFile, importedNames, resolvePath, stringValue } from '../../../src/languages/python/index.js';
import type { Pass, Project } from './pass.js';
import { targetOf } from './targets.js';

/** Names that a file offers: those of `__all__`, and those that other files of the repository import from it. */
export function isExported(file: PythonFile, name: string, project: Project): boolean {
  return isListed(file, name) || isImportedElsewhere(file, name, project);
}

function isListed(file: PythonFile, name: string): boolean {
  const all = file.bindings.root.names.get('__all__');
  return (all?.sites ?? []).some((site) => {
    const value = site.node.get('right');
    return (value?.children ?? []).some((child) => stringValue(child, file) === name);
  });
}

function isImportedElsewhere(file: PythonFile, name: string, project: Project): boolean {
  for (const other of project.files.values()) {
    if (other === file) continue;
    for (const imported of importedNames(other)) {
      if (imported.form !== 'from' || imported.name !== name) continue;
      const found = resolvePath(other.path, imported.module, (path) => project.has(path));
      if (found?.file === file.path && found.name === undefined) return true;
    }
  }
  return false;
}

/** The new name of `module.name`, when `module` is of this repository and imports `name` from SDK 1.x, where it is renamed. */
export function resolvesTo(pass: Pass, dotted: string): string | undefined {
  const found = resolvePath(pass.file.path, dotted, (path) => pass.project.has(path));
  const file = found && pass.project.files.get(found.file);
  if (!file || found.name === undefined || found.name.includes('.')) return undefined;
  const imported = importedNames(file).find((each) => each.form === 'from' && each.local === found.name && each.alias === undefined);
  const target = imported && targetOf(`${imported.module}.${imported.name}`);
  if (target?.kind !== 'moved') return undefined;
  const next = target.path.slice(target.path.lastIndexOf('.') + 1);
  // A name that others rely on keeps its old spelling behind an alias.
  const keeps = file.bindings.all.some((binding) => binding.name === next) || isExported(file, found.name, pass.project);
  return next === found.name || keeps ? undefined : next;
}
