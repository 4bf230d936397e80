import { defineConfig } from 'vitest/config';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by `npm run shots`: findings.shot and after/ are written instead of compared. */
    readonly writeShots: boolean;
  }
}

/** `npm run live:all` asks for the long journeys too. */
const WHOLE = process.env['UNSESSION_LIVE'] === 'all';

/** Three suites: `unit` mirrors src/, `concerns` proves every fixture, `live` speaks to running servers. */
export default defineConfig({
  test: {
    provide: { writeShots: process.argv.includes('--update') },
    // Most of the time is spent waiting for peers, so two cores carry two files; the default would leave one of them idle.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // The compiler and the concerns are loaded once a worker, not once a file: a third of the time was spent there.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: ['test/concerns.test.ts', 'test/contracts.test.ts', 'test/live/**', 'test/concerns/**', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: { name: 'concerns', include: ['test/concerns.test.ts', 'test/contracts.test.ts', 'test/concerns/**/*.test.ts'], testTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'live',
          include: ['test/live/**/*.test.ts'],
          exclude: WHOLE ? [] : ['test/live/published/**', 'test/live/runbook-commands.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
