import { createProgram } from '../../cli/program.js';
import { processWorld } from '../../cli/world.js';

/** One row for each command, from the program itself. */
export function renderCommandTable(): string {
  const program = createProgram(processWorld(), () => undefined);
  const rows = program.commands.map((command) => {
    const values = command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}${argument.variadic ? '...' : ''}]`,
    );
    return `| \`${[command.name(), ...values].join(' ')}\` | ${command.description()} |`;
  });
  return ['| command | does |', '| --- | --- |', ...rows].join('\n');
}
