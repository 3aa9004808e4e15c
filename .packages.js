/**
 * The packages of this repository that are published, each after those whose types it uses: the folder, the built module
 * of each entry point, and the packages whose declarations are copied into its own.
 */
export const packages = [
  {
    folder: '.',
    entries: {
      index: 'dist/src/index.js',
      browser: 'dist/src/browser.js',
      sdk: 'dist/src/sdk.js',
      testing: 'dist/src/testing.js',
      'testing-vitest': 'dist/src/testing/vitest.js',
      evaluate: 'dist/src/evaluate.js',
      'ai-sdk': 'dist/src/adapters/ai-sdk.js',
      langchain: 'dist/src/adapters/langchain.js',
      llamaindex: 'dist/src/adapters/llamaindex.js',
      serve: 'dist/src/serve.js',
      telemetry: 'dist/src/telemetry.js',
      studio: 'dist/src/studio.js',
      tune: 'dist/src/tune.js',
      sql: 'dist/src/sql.js',
      jobs: 'dist/src/jobs.js',
      verbs: 'dist/src/verbs.js',
      internal: 'dist/src/internal.js',
      knowledgepulse: 'dist/plugins/knowledgepulse/index.js',
    },
    copied: ['inversify', '@inversifyjs/common', '@inversifyjs/container', '@inversifyjs/core'],
  },
];
