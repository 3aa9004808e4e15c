/**
 * Bundles what tsc has built into few files, since Node takes its time for each. `dependencies` and `peerDependencies`
 * stay outside: a program that uses them too has one copy, and their fixes need no release of ours. All other packages
 * are bundled, with their licences in LICENSES.txt, and do not count for someone who installs Assize. Copies of
 * inversify share their metadata through `Reflect`.
 *
 * Zod is both. The core bundles the part that it needs, because the package is 100 files with 50 languages, and loading
 * them takes longer than loading the core. `z` of `assize/sdk` is the package itself, as in a unit's own `import 'zod'`.
 * Schemas of both work together: copies of Zod 4 share their registry, their settings and the protocol `_zod`.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, posix, relative, resolve } from 'node:path';
import { build } from 'rolldown';
import { licenceCollector, packageOf } from './.licences.js';
import { packages } from './.packages.js';
import { bundleStudioPage } from './.studio-page.js';

const [core, ...around] = packages;
const input = { ...core.entries, ...core.others };

/** The names of files that are loaded when they are needed, by their module; the others have their module's name. */
const lateFiles = {
  'dist/src/cli/run-process.js': 'cli-main',
  'dist/src/cli/show/profile-yaml.js': 'cli-show',
  'dist/src/cli/new/template.js': 'cli-new',
  'dist/src/engine/index.js': 'fields-read',
  'dist/src/profile/preset-texts.js': 'presets',
  'dist/src/profile/source/parse-yaml.js': 'yaml',
  'dist/src/scale/sql/engines/engine.js': 'sql-engine',
  'dist/src/scale/threads/worker-thread.js': 'worker-thread',
  'dist/plugins/agentcards/index.js': 'agentcards',
  'dist/plugins/agents/index.js': 'trace-quality',
  'dist/plugins/agents/traces/index.js': 'traces',
  'dist/plugins/agents/messages/index.js': 'messages',
  'dist/plugins/cupel/index.js': 'cupel',
  'dist/plugins/interview/index.js': 'interview',
  'dist/plugins/rerank/index.js': 'rerank',
};

/** The packages that stay outside of the files of a package. */
function externalsOf({ folder }, bundled = []) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const names = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !bundled.includes(name));
  return (id) => isNode(id) || names.some((name) => id === name || id.startsWith(`${name}/`));
}

/** `events` of npm is not Node's: graphology needs it in pages, too. */
const isNode = (id) => isBuiltin(id) && id !== 'events';

/** A module with all that it needs before it runs. */
function closure(id, modules, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  for (const next of modules.getModuleInfo(id)?.importedIds ?? []) closure(next, modules, found);
  return found;
}

/** What the command line shares with verbs of packages. */
const sharedWithVerbs =
  /[\\/]src[\\/]cli[\\/](?:options|terminal[\\/]\w+|output[\\/](?:format|json|summary|ranking-table))\.js$/;

let closures;

/** What the command line loads before it reads its arguments. */
const commandLine = 'dist/src/cli/run-process.js';

/** What a page loads with its first pipeline. */
const pagePipeline = 'dist/src/pipeline/page-pipeline.js';
const pageHost = 'dist/src/pipeline/page-host.js';

/** What a program with Node loads with its first pipeline, or with the first file that it ranks. */
const nodePipelines = ['dist/src/pipeline/create-pipeline.js', 'dist/src/scale/threads/rank-file.js'];

/**
 * The library is six files. A page loads three of them, which need no Node: `base`, what the command line needs, too,
 * before it reads its arguments, `page`, and `engine` with the first pipeline. In Node, `start` is what a program loads
 * in addition to `base` and `page`, and `library` what it loads with the engine. `input` is the rest that the command
 * line needs.
 */
function libraryFile(id, modules) {
  if (packageOf(id)?.name === 'yaml') return 'yaml-parser';
  if (packageOf(id)?.name === 'zod') return 'zod';
  if (id === resolve('dist/src/sdk/zod.js')) return 'zod-package'; // only the SDK needs it
  if (/^(?:@?inversify|reflect-metadata)/.test(packageOf(id)?.name ?? '')) return 'inversify';
  closures ??= [input.index, input.browser, pagePipeline, commandLine, ...nodePipelines].map((file) =>
    closure(resolve(file), modules),
  );
  const [start, page, pipeline, command, ...library] = closures;
  if (page.has(id)) return command.has(id) ? 'base' : 'page';
  // A file of their own: all that a file loaded late exports counts as used, and Node does not need them.
  if (id === resolve(pagePipeline) || id === resolve(pageHost)) return null;
  if (pipeline.has(id)) return command.has(id) ? 'base' : 'engine';
  if (sharedWithVerbs.test(id)) return 'command';
  if (command.has(id)) return /[\\/]src[\\/]cli[\\/]/.test(id) ? null : 'input';
  if (start.has(id)) return 'start';
  return library.some((one) => one.has(id)) ? 'library' : null;
}

/** A file takes what its modules import along, so those that import from no other come first. */
const groups = [
  'inversify',
  'yaml-parser',
  'zod',
  'zod-package',
  'base',
  'page',
  'engine',
  'input',
  'command',
  'start',
  'library',
].map((file, index) => ({
  name: (id, modules) => (libraryFile(id, modules) === file ? file : null),
  priority: 10 - index,
  debugName: file,
}));

/** The name of a file that several of the others share, or that is loaded late. */
function fileName({ name, facadeModuleId, moduleIds }) {
  const module = facadeModuleId ?? (moduleIds.length === 1 ? moduleIds[0] : undefined);
  const file = module && relative('.', module).replaceAll('\\', '/');
  const late = lateFiles[file] ?? (module && packageOf(module)?.name.replace('/', '-').replace('@', ''));
  return `${late ?? (facadeModuleId ? basename(facadeModuleId, '.js') : name)}.js`;
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
      code.replace(
        /^import \{([^}]*?),?\s*\bz\b([^}]*)\} from ('[./]*src\/unit-sdk\.js');/m,
        (_, before, after, sdk) => {
          return `import * as z from 'zod'; import {${before}${after}} from ${sdk};`;
        },
      ),
  },
};

/** The names of Zod stay a file of their own, so that a bundler knows which of them a page uses. */
const zodNames = {
  name: 'zod-names',
  resolveId: {
    filter: { id: /[\\/]zod-names\.js$/ },
    handler: () => ({ id: './zod-names.js', external: true, moduleSideEffects: false }),
  },
  writeBundle: () => copyFileSync('dist/src/sdk/zod-names.js', 'dist/bundle/zod-names.js'),
};

const imports = /^(import|export)( type)? \{([^}]*)\} from '([^']+)';$/gm;
const entry = /^(dist\/src\/.+\/(?=(?:index|node)\.js$)|dist\/plugins\/@assize\/evaluate\/src\/(?=measures\.js$))/;
const namesIn = (list) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
const bare = (name) => name.replace(/^type /, '').replace(/ as .*/, '');

/** The files that declare the names of a module's entry point. */
function declaringFiles(file) {
  const [, folder] = entry.exec(file);
  const files = new Map();
  for (const [, , , list, from] of readFileSync(file, 'utf8').matchAll(imports)) {
    for (const name of namesIn(list)) files.set(bare(name), posix.join(folder, from));
  }
  return files;
}

/**
 * The entry point of a module names what other modules use. An import of it is made an import of the files that declare
 * the names, so that a page or a verb loads these files and not the whole module.
 */
function importDirectly(code, file) {
  return code.replace(imports, (statement, kind, type = '', list, from) => {
    if (!from.startsWith('.')) return statement;
    const target = posix.join(posix.dirname(file), from);
    if (!entry.test(target)) return statement;
    const files = declaringFiles(target);
    const lines = namesIn(list).map((name) => {
      const declaring = files.get(bare(name));
      if (declaring === undefined) throw new Error(`${file}: ${target} does not export ${name}`);
      const path = posix.relative(posix.dirname(file), declaring);
      return `${kind}${type} { ${name} } from '${path.startsWith('.') ? path : `./${path}`}';`;
    });
    return lines.join(' ');
  });
}

const builtPath = (file) => relative('.', file).replaceAll('\\', '/');

const directImports = {
  name: 'direct-imports',
  transform: {
    filter: { id: /[\\/]dist[\\/](?:src|plugins)[\\/]/ },
    handler: (code, id) => importDirectly(code, builtPath(id)),
  },
};

/** webpack accepts only inside `try` that a package is missing. Other bundlers accept `catch` as well. */
const optionalImports = {
  name: 'optional-imports',
  transform: {
    filter: { code: /\.catch\(|createRequire/ },
    handler: (code) =>
      code
        .replace(
          /\bimport\('[^']+'\)(?=\.catch\()/g,
          '(async () => { try { return await $&; } catch (error) { throw error; } })()',
        )
        .replace(
          /\bcreateRequire\(import\.meta\.url\)\('[^']+'\)/g,
          '(() => { try { return $&; } catch (error) { throw error; } })()',
        ),
  },
};

const licences = licenceCollector('assize');

await build({
  input,
  plugins: [zodByItself, zodNames, directImports, optionalImports],
  platform: 'neutral', // one part of it runs in pages
  resolve: { mainFields: ['module', 'main'] },
  external: externalsOf(core, ['zod']),
  output: {
    dir: core.bundle,
    chunkFileNames: fileName,
    banner: (chunk) => licences.banner(chunk),
    minifyInternalExports: false,
    codeSplitting: { groups },
  },
});

writeFileSync(`${core.bundle}/LICENSES.txt`, licences.text());

/** A package around the engine imports it by name, so that a process has one engine. It bundles no other package. */
for (const one of around) {
  const isDeclared = externalsOf(one);
  const external = (id) => {
    const isOther = !/^(?:\.|\/|[A-Z]:)/i.test(id) || isBuiltin(id);
    if (isOther && !isDeclared(id))
      throw new Error(`${one.folder} imports ${id}, which its package.json does not list`);
    return isOther;
  };
  await build({
    input: { ...one.entries, ...one.others },
    plugins: [directImports],
    platform: 'neutral',
    external,
    output: {
      dir: one.bundle,
      chunkFileNames: ({ name }) => `${name in one.entries ? `${name}-shared` : name}.js`,
      minifyInternalExports: false,
    },
  });
}

/** The page needs few of the measures before its first list. */
const directMeasures = {
  name: 'direct-measures',
  transform: {
    filter: { code: /'@assize\/evaluate\/measures'/ },
    handler: (code, id) => {
      const file = builtPath(id);
      const measures = posix.relative(posix.dirname(file), around[0].entries.measures);
      return importDirectly(code.replaceAll("'@assize/evaluate/measures'", `'${measures}'`), file);
    },
  },
};

const studio = around.find(({ folder }) => folder.endsWith('/studio'));
await bundleStudioPage(studio, [directMeasures, directImports], {
  'assize/browser': resolve('dist/src/small-browser.js'),
});
