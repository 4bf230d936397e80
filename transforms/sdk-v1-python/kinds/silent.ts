/** What is worse than a failure at start: said of every kind that has it. */
export const SILENT = 'Nothing fails when the process starts: the place does something else from then on.';
