/**
 * Bundles what tsc has built into few files, since Node takes its time for each. Every package stays outside, as a
 * dependency that gets its fixes without a release of ours, and of which a program that uses it too has one copy.
 */
import { readFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { build } from 'rolldown';

const input = {
  index: 'dist/src/index.js',
  sdk: 'dist/src/sdk.js',
  testing: 'dist/src/testing/index.js',
  evaluate: 'dist/src/evaluate/index.js',
  knowledgepulse: 'dist/plugins/knowledgepulse/index.js',
  cli: 'dist/src/cli/main.js',
  worker: 'dist/src/workers/worker-entry.js',
};

/** The names of files that are loaded when they are needed, by their module; the others have their module's name. */
const lateFiles = {
  'dist/src/cli/show/profile-yaml.js': 'cli-show',
  'dist/src/cli/new/template.js': 'cli-new',
  'dist/src/profile/source/parse-yaml.js': 'yaml',
  'dist/src/workers/worker-thread.js': 'worker-thread',
  'dist/plugins/agentcards/index.js': 'agentcards',
  'dist/plugins/cupel/index.js': 'cupel',
  'dist/plugins/interview/index.js': 'interview',
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

/** The library is two files: what the command line needs before it reads its arguments is one of its own. */
function libraryFile(id, modules) {
  closures ??= [input.index, input.cli].map((entry) => closure(resolve(entry), modules));
  const [library, command] = closures;
  if (command.has(id)) return /[\\/]src[\\/]cli[\\/]/.test(id) ? null : 'base';
  return library.has(id) ? 'library' : null;
}

/** The name of a file that several of the others share, or that is loaded late. */
function fileName({ name, facadeModuleId, moduleIds }) {
  const module = facadeModuleId ?? (moduleIds.length === 1 ? moduleIds[0] : undefined);
  const file = module && relative('.', module).replaceAll('\\', '/');
  return `${lateFiles[file] ?? (facadeModuleId ? basename(facadeModuleId, '.js') : name)}.js`;
}

await build({
  input,
  platform: 'node',
  external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
  output: {
    dir: 'dist/bundle',
    chunkFileNames: fileName,
    minifyInternalExports: false,
    codeSplitting: { groups: [{ name: libraryFile, debugName: 'library' }] },
  },
});
