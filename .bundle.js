/**
 * Makes what is published of what tsc has built: few files, since Node takes its time for each. What package.json names
 * as a dependency stays one, and gets its fixes without a release of ours; zod is in the types, too. What it names for
 * development alone becomes a part of the bundle: the container, 250 files of which nobody outside sees anything.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';

const input = {
  index: 'dist/src/index.js',
  sdk: 'dist/src/sdk.js',
  testing: 'dist/src/testing/index.js',
  knowledgepulse: 'dist/plugins/knowledgepulse/index.js',
  cli: 'dist/src/cli/main.js',
  worker: 'dist/src/workers/worker-entry.js',
};

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const apart = Object.keys({ ...dependencies, ...peerDependencies });

/** A module with all that it needs before it runs. */
function closure(id, modules, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  for (const next of modules.getModuleInfo(id)?.importedIds ?? []) closure(next, modules, found);
  return found;
}

let closures;

/** The library is two files: what the command line needs before it knows what it is asked for is one of its own. */
function libraryFile(id, modules) {
  closures ??= [input.index, input.cli].map((entry) => closure(resolve(entry), modules));
  const [library, command] = closures;
  if (command.has(id)) return /[\\/]src[\\/]cli[\\/]/.test(id) ? null : 'base';
  return library.has(id) ? 'library' : null;
}

/** The licences of what became a part of the bundle have to come with it. */
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
    const source = `The files beside this one contain:\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
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
    codeSplitting: { groups: [{ name: libraryFile, debugName: 'library' }] },
  },
});
