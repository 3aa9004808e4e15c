import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './patience.js';

const here = (file: string) => new URL(file, import.meta.url).pathname;

export default defineConfig(({ mode }) => ({
  test: {
    root: here('..'),
    include: ['test/**/*.test.ts'],
    testTimeout: 600_000, // only a hang takes this long; an assertion that fails is reported earlier
    hookTimeout: 600_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    isolate: false, // loading the engine again for every file would take longer than the tests
    maxWorkers: '100%', // Vitest would leave one of two cores free, and tests that wait for processes do too
    ...(mode === 'generate' && { env: { UPDATE_README: '1' } }), // writes the tables in the READMEs
    ...(mode === 'fuzz' && { env: { FUZZ: '1' } }), // more inputs, with new seeds
    setupFiles: [here('remove-folders.ts'), ...(mode === 'fuzz' ? [] : [here('same-seed.ts')])],
    reporters: ['default', here('closing-line.ts')],
  },
}));
