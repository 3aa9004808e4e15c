/**
 * The packages of this repository that are published, each after those that it uses: the folder, the built module of each
 * entry point, files that only the package itself loads, and the packages whose declarations are copied into its own.
 */
const around = (name, entries, others = {}) => {
  const built = (files) =>
    Object.fromEntries(
      Object.entries(files).map(([file, module]) => [file, `dist/plugins/@assize/${name}/src/${module}.js`]),
    );
  return {
    folder: `plugins/@assize/${name}`,
    bundle: `plugins/@assize/${name}/dist`,
    types: `plugins/@assize/${name}/dist/types`,
    entries: built({ index: 'index', ...entries, verbs: 'verbs/index' }),
    others: built(others),
    copied: [],
  };
};

export const packages = [
  {
    folder: '.',
    bundle: 'dist/bundle',
    types: 'dist/types',
    entries: {
      index: 'dist/src/index.js',
      browser: 'dist/src/browser.js',
      sdk: 'dist/src/sdk.js',
      testing: 'dist/src/testing.js',
      'testing-vitest': 'dist/src/testing/vitest.js',
      'ai-sdk': 'dist/src/adapters/ai-sdk.js',
      langchain: 'dist/src/adapters/langchain.js',
      llamaindex: 'dist/src/adapters/llamaindex.js',
      sql: 'dist/src/sql.js',
      language: 'dist/src/language.js',
      verbs: 'dist/src/verbs.js',
      agents: 'dist/src/agents.js',
      internal: 'dist/src/internal.js',
      knowledgepulse: 'dist/plugins/knowledgepulse/index.js',
    },
    others: {
      cli: 'dist/src/cli/main.js',
      worker: 'dist/src/scale/threads/worker-entry.js',
      'group-text': 'dist/src/cli/output/group-text.js',
    },
    copied: ['inversify', '@inversifyjs/common', '@inversifyjs/container', '@inversifyjs/core'],
  },
  around('evaluate', { tune: 'tune', measures: 'measures' }),
  around('serve', { telemetry: 'telemetry' }, { 'serve-thread': 'threads/thread-entry' }),
  around('studio', {}),
  around('jobs', {}),
  around('lsp', { service: 'service' }),
];
