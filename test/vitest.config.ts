import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './patience.js';

const here = (file: string) => new URL(file, import.meta.url).pathname;

/** The sources of an entry point, so that no test runs the sources and the build of the same module. */
const sources = [
  { find: /^assize$/, replacement: here('../src/index.ts') },
  { find: /^assize\/(ai-sdk|langchain|llamaindex)$/, replacement: here('../src/adapters/$1.ts') },
  { find: /^assize\/knowledgepulse$/, replacement: here('../plugins/knowledgepulse/index.ts') },
  { find: /^assize\/([\w/]+)$/, replacement: here('../src/$1.ts') },
  { find: /^@assize\/(\w+)$/, replacement: here('../plugins/@assize/$1/src/index.ts') },
  { find: /^@assize\/(\w+)\/verbs$/, replacement: here('../plugins/@assize/$1/src/verbs/index.ts') },
  { find: /^@assize\/(\w+)\/(\w+)$/, replacement: here('../plugins/@assize/$1/src/$2.ts') },
  // What the command line resolves by itself.
  {
    find: /^.*\/plugins\/@assize\/(\w+)\/dist\/verbs\.js$/,
    replacement: here('../plugins/@assize/$1/src/verbs/index.ts'),
  },
];

export default defineConfig(({ mode }) => ({
  resolve: { alias: sources },
  test: {
    root: here('..'),
    include: ['test/**/*.test.ts', 'plugins/@assize/*/test/**/*.test.ts'],
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
