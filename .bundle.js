/**
 * Bundles what tsc has built into few files, since Node takes its time for each. Packages stay outside, as dependencies
 * that get their fixes without a release of ours, and of which a program that uses them too has one copy. The exception
 * is inversify with `reflect-metadata`: 366 files that take half a second to load. Copies of inversify share their
 * metadata through `Reflect`.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, posix, relative, resolve } from 'node:path';
import { build } from 'rolldown';

const input = {
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
  knowledgepulse: 'dist/plugins/knowledgepulse/index.js',
  cli: 'dist/src/cli/main.js',
  worker: 'dist/src/scale/threads/worker-entry.js',
  'serve-thread': 'dist/src/serve/threads/thread-entry.js',
};

/** The names of files that are loaded when they are needed, by their module; the others have their module's name. */
const lateFiles = {
  'dist/src/cli/show/profile-yaml.js': 'cli-show',
  'dist/src/evaluate/verbs/index.js': 'evaluate-verbs',
  'dist/src/jobs/verbs/index.js': 'jobs-verbs',
  'dist/src/serve/verbs/index.js': 'serve-verbs',
  'dist/src/studio/verbs/index.js': 'studio-verbs',
  'dist/src/cli/new/template.js': 'cli-new',
  'dist/src/profile/preset-texts.js': 'presets',
  'dist/src/profile/source/parse-yaml.js': 'yaml',
  'dist/src/scale/threads/worker-thread.js': 'worker-thread',
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
  if (/[\\/]node_modules[\\/]/.test(id)) return 'inversify';
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
  // What the command line shares with verbs of packages.
  if (moduleIds.some((id) => /[\\/]src[\\/]cli[\\/]options\.js$/.test(id))) return 'command.js';
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
      code.replace(
        /^import \{([^}]*?),?\s*\bz\b([^}]*)\} from ('[./]*src\/unit-sdk\.js');/m,
        (_, before, after, sdk) => {
          return `import * as z from 'zod'; import {${before}${after}} from ${sdk};`;
        },
      ),
  },
};

const imports = /^(import|export)( type)? \{([^}]*)\} from '([^']+)';$/gm;
const entry = /^(dist\/src\/.+\/)(?:index|node)\.(?:js|d\.ts)$/;
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
 * the names, so that a page, a verb or a program's type check loads these files and not the whole module.
 */
function importDirectly(code, file) {
  return code.replace(imports, (statement, kind, type = '', list, from) => {
    if (!from.startsWith('.')) return statement;
    const target = posix.join(posix.dirname(file), from);
    if (!entry.test(target)) return statement;
    const files = declaringFiles(file.endsWith('.d.ts') ? target.replace(/js$/, 'd.ts') : target);
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

/** The file that declares a name which a package exports, itself or from another package. */
function fileDeclaring(name, from) {
  const folder = `node_modules/${from}/lib`;
  for (const [, , , list, next] of readFileSync(`${folder}/index.d.ts`, 'utf8').matchAll(imports)) {
    if (!namesIn(list).map(bare).includes(name)) continue;
    return next.startsWith('.') ? posix.join(folder, next) : fileDeclaring(name, next);
  }
  throw new Error(`${from} does not export ${name}`);
}

const copies = 'dist/src/inversify';

/**
 * Copies the declarations that a text imports from inversify, so that a program's type check needs no package for them.
 *
 * @param folder the folder in `node_modules` of a text that is a copy itself
 * @param beside the folder of the copies, as the text's imports name it
 */
function copyDeclarations(code, folder, beside) {
  return code.replace(imports, (statement, kind, type = '', list, from) => {
    if (folder === undefined && from !== 'inversify') return statement;
    const lines = namesIn(list).map((name) => {
      const file = from.startsWith('.') ? posix.join(folder, from) : fileDeclaring(bare(name), from);
      const text = readFileSync(file.replace(/js$/, 'd.ts'), 'utf8').replace(/\/\/# sourceMappingURL=.*$/, '');
      const copy = basename(file);
      writeFileSync(`${copies}/${copy.replace(/js$/, 'd.ts')}`, copyDeclarations(text, posix.dirname(file), '.'));
      return `${kind}${type} { ${name} } from '${beside.startsWith('.') ? beside : `./${beside}`}/${copy}';`;
    });
    return lines.join(' ');
  });
}

mkdirSync(copies);
for (const folder of ['dist/src', 'dist/plugins']) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = builtPath(join(folder, name));
    if (!file.endsWith('.d.ts') || entry.test(file)) continue;
    const text = readFileSync(file, 'utf8');
    const direct = copyDeclarations(importDirectly(text, file), undefined, posix.relative(posix.dirname(file), copies));
    if (direct !== text) writeFileSync(file, direct);
  }
}

/** The licences of the packages that are bundled. That of `reflect-metadata` is in its text. */
const licences = ['inversify', '@inversifyjs/core']
  .map((name) => `/*!\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}\n*/`)
  .join('\n');

await build({
  input,
  plugins: [zodByItself, directImports],
  platform: 'neutral', // one part of it runs in pages
  external: (id) => id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`)),
  output: {
    dir: 'dist/bundle',
    chunkFileNames: fileName,
    banner: ({ name }) => (name === 'inversify' ? licences : ''),
    minifyInternalExports: false,
    codeSplitting: { groups: [{ name: libraryFile, debugName: 'library' }] },
  },
});

/** The page of the studio is one file, with the engine in it: it is also written into pages that have no server. */
await build({
  input: 'dist/src/studio/page/main.js',
  plugins: [directImports],
  platform: 'browser',
  output: { file: 'dist/bundle/studio-page.js', minify: true, codeSplitting: false },
});
const styles = 'src/studio/page/style';
const sheets = readdirSync(styles).sort();
writeFileSync('dist/bundle/studio-page.css', sheets.map((name) => readFileSync(`${styles}/${name}`, 'utf8')).join(''));
