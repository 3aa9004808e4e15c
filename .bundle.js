/**
 * What is published: the build of tsc in a few files, since Node takes its time for each. What package.json names as a
 * dependency stays one; what it names for development alone, as the container, becomes a part of the bundle.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';

const input = {
  index: 'dist/src/index.js',
  sdk: 'dist/src/sdk.js',
  testing: 'dist/src/testing.js',
  knowledgepulse: 'dist/plugins/knowledgepulse/index.js',
  cli: 'dist/src/cli/main.js',
  worker: 'dist/src/files/worker.js',
};

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const apart = Object.keys({ ...dependencies, ...peerDependencies });

/** A module with everything that it needs before it runs. */
function closure(id, modules, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  for (const next of modules.getModuleInfo(id)?.importedIds ?? []) closure(next, modules, found);
  return found;
}

let started;

/** The library is two files: what the command line needs before it knows what it is asked for is one of its own. */
function chunkOf(id, modules) {
  started ??= [input.index, input.cli].map((entry) => closure(resolve(entry), modules));
  const [library, command] = started;
  if (!library.has(id)) return null;
  return command.has(id) ? 'base' : 'library';
}

/** The licences of what became a part of the bundle, which have to come with it. */
const licences = {
  name: 'licences',
  generateBundle(_, bundle) {
    const folders = Object.values(bundle)
      .flatMap(({ moduleIds = [] }) => moduleIds)
      .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/')) ?? []);
    const notices = [...new Set(folders)].sort().map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return `${name} ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
    });
    const source = `The files beside this one contain the following packages.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source });
  },
};

await build({
  input,
  platform: 'node',
  external: (id) => apart.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [licences],
  output: {
    dir: 'dist/bundle',
    chunkFileNames: '[name].js',
    minifyInternalExports: false,
    codeSplitting: { groups: [{ debugName: 'library', name: chunkOf }] },
  },
});
