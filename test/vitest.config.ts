import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './patience.js';

const here = (file: string) => new URL(file, import.meta.url).pathname;

export default defineConfig(({ mode }) => ({
  test: {
    root: here('..'),
    include: ['test/**/*.test.ts'],
    testTimeout: 600_000, // only a hang takes as long; what a test waits for in vain is said before
    hookTimeout: 600_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    isolate: false, // loading the engine anew for every file would take longer than the tests
    maxWorkers: '100%', // of two cores Vitest would leave one free, which tests that wait for processes leave free, too
    ...(mode === 'generate' && { env: { UPDATE_README: '1' } }), // the tables in the READMEs are written anew
    ...(mode === 'fuzz' && { env: { FUZZ: '1' } }), // more inputs, of new seeds
    setupFiles: [here('remove-folders.ts'), ...(mode === 'fuzz' ? [] : [here('same-seed.ts')])],
    reporters: ['default', here('closing-line.ts')],
  },
}));
