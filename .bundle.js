/**
 * Bundles what tsc has built into few files, since Node takes its time for each. Every package stays outside, as a
 * dependency that gets its fixes without a release of ours, and of which a program that uses it too has one copy.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { build } from 'rolldown';

const input = {
  index: 'dist/src/index.js',
  browser: 'dist/src/browser/index.js',
  sdk: 'dist/src/sdk.js',
  testing: 'dist/src/testing/index.js',
  evaluate: 'dist/src/evaluate/index.js',
  'ai-sdk': 'dist/src/reranking/ai-sdk.js',
  langchain: 'dist/src/reranking/langchain.js',
  llamaindex: 'dist/src/reranking/llamaindex.js',
  serve: 'dist/src/serve/index.js',
  telemetry: 'dist/src/serve/telemetry/index.js',
  studio: 'dist/src/studio/index.js',
  tune: 'dist/src/tune/index.js',
  sql: 'dist/src/sql/index.js',
  jobs: 'dist/src/jobs/index.js',
  knowledgepulse: 'dist/plugins/knowledgepulse/index.js',
  cli: 'dist/src/cli/main.js',
  worker: 'dist/src/workers/worker-entry.js',
  'serve-thread': 'dist/src/serve/threads/thread-entry.js',
};

/** The names of files that are loaded when they are needed, by their module; the others have their module's name. */
const lateFiles = {
  'dist/src/cli/show/profile-yaml.js': 'cli-show',
  'dist/src/cli/new/template.js': 'cli-new',
  'dist/src/profile/preset-texts.js': 'presets',
  'dist/src/profile/source/parse-yaml.js': 'yaml',
  'dist/src/workers/worker-thread.js': 'worker-thread',
  'dist/plugins/agentcards/index.js': 'agentcards',
  'dist/plugins/cupel/index.js': 'cupel',
  'dist/plugins/interview/index.js': 'interview',
  'dist/plugins/rerank/index.js': 'rerank',
};

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const external = Object.keys({ ...dependencies, ...peerDependencies });

/** A module with all that it needs before it runs. */
function closure(id, modules, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  for (const next of modules.getModuleInfo(id)?.importedIds ?? []) closure(next, modules, found);
  return found;
}

let closures;

/**
 * The library is four files. A page loads two of them, which need no Node: `base`, what the command line needs, too,
 * before it reads its arguments, and `engine`. `input` is the rest that the command line needs, `library` all the rest.
 */
function libraryFile(id, modules) {
  closures ??= [input.index, input.browser, input.cli].map((entry) => closure(resolve(entry), modules));
  const [library, page, command] = closures;
  if (page.has(id)) return command.has(id) ? 'base' : 'engine';
  if (command.has(id)) return /[\\/]src[\\/]cli[\\/]/.test(id) ? null : 'input';
  return library.has(id) ? 'library' : null;
}

/** The name of a file that several of the others share, or that is loaded late. */
function fileName({ name, facadeModuleId, moduleIds }) {
  const module = facadeModuleId ?? (moduleIds.length === 1 ? moduleIds[0] : undefined);
  const file = module && relative('.', module).replaceAll('\\', '/');
  return `${lateFiles[file] ?? (facadeModuleId ? basename(facadeModuleId, '.js') : name)}.js`;
}

/**
 * Plugins have Zod from the SDK. Here they import it themselves: passed on as a whole from file to file it would be
 * complete, with all its languages, in every page.
 */
const zodByItself = {
  name: 'zod-by-itself',
  transform: {
    filter: { id: /[\\/]dist[\\/]plugins[\\/]/ },
    handler: (code) =>
      code.replace(/^import \{([^}]*?),?\s*\bz\b([^}]*)\} from ('[./]*src\/sdk\.js');/m, (_, before, after, sdk) => {
        return `import * as z from 'zod'; import {${before}${after}} from ${sdk};`;
      }),
  },
};

await build({
  input,
  plugins: [zodByItself],
  platform: 'neutral', // one part of it runs in pages
  external: (id) => id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`)),
  output: {
    dir: 'dist/bundle',
    chunkFileNames: fileName,
    minifyInternalExports: false,
    codeSplitting: { groups: [{ name: libraryFile, debugName: 'library' }] },
  },
});

/** The page of the studio is one file, with the engine in it: it is also written into pages that have no server. */
await build({
  input: 'dist/src/studio/page/main.js',
  platform: 'browser',
  output: { file: 'dist/bundle/studio-page.js', minify: true, codeSplitting: false },
});
const styles = 'src/studio/page/style';
const sheets = readdirSync(styles).sort();
writeFileSync('dist/bundle/studio-page.css', sheets.map((name) => readFileSync(`${styles}/${name}`, 'utf8')).join(''));
