import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    isolate: false, // loading the engine anew for every file would take longer than the tests
    reporters: ['default', new URL('closing-line.ts', import.meta.url).pathname],
  },
});
