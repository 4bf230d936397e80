import { visible, type TypeReport } from '../../core/index.js';
import { count, hang } from '../text/layout.js';
import type { Paint, PrettyOptions } from './options.js';

const SHOWN = 10;

/** Type errors that are new, those at no marker first, and what was not checked. Nothing without `--typecheck`. */
export function typeLines(types: TypeReport | undefined, options: PrettyOptions, paint: Paint): readonly string[] {
  if (types === undefined) return [];
  const open = types.errors.filter((error) => !error.marked);
  const marked = types.errors.filter((error) => error.marked);
  const missing = [...new Set(types.left.flatMap((entry) => entry.missing))].sort();
  const others = types.left.filter((entry) => entry.missing.length === 0);
  return [
    ...errorLines(open, (number) => paint.red(`${count(number, 'new type error')}:`), options),
    ...errorLines(
      marked,
      (number) => `${count(number, 'new type error')} at ${number === 1 ? 'a place that is' : 'places that are'} marked TODO(unsession):`,
      options,
    ),
    ...(missing.length === 0
      ? []
      : hang(
          '',
          `Types of ${count(types.left.length - others.length, 'file')} not checked: install what the changed manifest asks for, and run this again: ${missing.map(visible).join(' ')} (npm: "npm install --no-save" and these names).`,
          options.width,
        )),
    ...others
      .slice(0, options.verbose ? Infinity : SHOWN)
      .flatMap(({ file, why }) => hang('', `Types of ${visible(file)} not checked: ${visible(why)}.`, options.width)),
    ...(others.length > SHOWN && !options.verbose ? [`and ${String(others.length - SHOWN)} more; --verbose lists them`] : []),
  ];
}

function errorLines(errors: TypeReport['errors'], title: (number: number) => string, options: PrettyOptions): readonly string[] {
  if (errors.length === 0) return [];
  const shown = options.verbose ? errors : errors.slice(0, SHOWN);
  return [
    title(errors.length),
    ...shown.flatMap(({ file, line, code, message }) => hang('  ', `${visible(file)}:${String(line)} TS${String(code)}: ${visible(message)}`, options.width)),
    ...(errors.length > shown.length ? [`  and ${String(errors.length - shown.length)} more; --verbose lists them`] : []),
  ];
}
