/**
 * Rolls up what tsc has declared into one file per package, `dist/types/declarations.d.ts`, and writes a list of exports
 * for each entry point. All entry points share the one file: declared twice, a class with private members would be two
 * types, and a pipeline of `assize` would be none for `assize/sql`.
 *
 *     node .declarations.js                the declarations
 *     node .declarations.js report FOLDER  the public API of each entry point, as a file for review
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { packages } from './.packages.js';

/** The compiler inside API Extractor, which reads declarations that another version has written. */
const ts = createRequire(createRequire(import.meta.url).resolve('@microsoft/api-extractor'))('typescript');

const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
};

const declarationsOf = (module) => resolve(module.replace(/\.js$/, '.d.ts'));

/** The settings to analyse one file of declarations. */
function configOf({ folder, copied }, file, { rollup, apiReport }) {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: resolve(folder),
      mainEntryPointFilePath: file,
      bundledPackages: copied,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [file] } },
      apiReport: {
        enabled: apiReport !== undefined,
        reportFileName: apiReport?.name ?? 'none',
        ...(apiReport && { reportFolder: apiReport.folder, reportTempFolder: join(apiReport.folder, 'temp') }),
      },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      dtsRollup: { enabled: rollup !== undefined, ...(rollup && { untrimmedFilePath: rollup }) },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: { default: { logLevel: 'none' } },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
    packageJsonFullPath: resolve(folder, 'package.json'),
  });
}

function extract(config, compilerState) {
  const { errorCount } = Extractor.invoke(config, {
    localBuild: true,
    compilerState,
    messageCallback(message) {
      if (message.logLevel === ExtractorLogLevel.Error) console.error(message.text);
      message.handled = true;
    },
  });
  if (errorCount > 0) throw new Error(`${config.mainEntryPointFilePath}: ${errorCount} errors in declarations`);
}

/** Whether an export can be used as a type only, by the statements on its way. */
function isTypeOnly(symbol, checker) {
  for (let at = symbol; at !== undefined; at = checker.getImmediateAliasedSymbol(at)) {
    if (at.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration)) return true;
    if (!(at.flags & ts.SymbolFlags.Alias)) return false;
  }
  return false;
}

/** Names every export of a package once: by its name in the first entry point that has it, if no other has that name. */
class Names {
  #bySymbol = new Map();
  #taken = new Set();
  /** The statements that export all names. */
  statements = [];

  /** The name of an export of an entry point, and the text that exports it there. */
  add(name, symbol, from) {
    let known = this.#bySymbol.get(symbol);
    if (known === undefined) {
      known = [name, symbol.name, `${name}_`].find((one) => !this.#taken.has(one));
      if (known === undefined) throw new Error(`${from} exports a third ${name}`);
      this.#taken.add(known);
      this.#bySymbol.set(symbol, known);
      this.statements.push(`export { ${name === known ? name : `${name} as ${known}`} } from '${from}';`);
    }
    return known === name ? name : `${known} as ${name}`;
  }
}

/** The blocks that add to the types of another package. They name exports of their entry point. */
function augmentations(text, exported) {
  const blocks = [...text.matchAll(/^declare module '[^]*?^\}$/gm)].map(([block]) => block);
  const used = exported.filter((name) => blocks.some((block) => new RegExp(`\\b${name}\\b`).test(block)));
  return used.length === 0
    ? ''
    : `import type { ${used.join(', ')} } from './declarations.js';\n${blocks.join('\n')}\n`;
}

/** The names of Zod that `assize/sdk` exports as `z`: a file beside the declarations. */
const zodNames = 'dist/src/sdk/zod-names.d.ts';

/**
 * API Extractor cannot read `export * as z`. The declarations say the same in two statements, and name Zod itself; the
 * list of exports names the file.
 */
function splitNamespaceExports({ entries }) {
  for (const folder of new Set([dirname(zodNames), ...Object.values(entries).map((module) => dirname(module))])) {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
      const file = join(folder, name);
      const text = readFileSync(file, 'utf8');
      const split = text.replace(/^export \* as z from '[^']+';$/gm, "import * as z from 'zod';\nexport { z };");
      if (split !== text) writeFileSync(file, split);
    }
  }
}

/** Separates the built modules of a package around the engine from `assize`, so that it is another package to them. */
function separate({ folder, entries }) {
  if (folder !== '.') writeFileSync(join(dirname(entries.index), '..', 'package.json'), '{ "type": "module" }\n');
}

function rollUp(one) {
  const folder = resolve(one.types);
  mkdirSync(folder, { recursive: true });
  const files = Object.entries(one.entries).map(([name, module]) => [name, declarationsOf(module)]);
  const program = ts.createProgram(
    files.map(([, file]) => file),
    ts.convertCompilerOptionsFromJson(compilerOptions, '.').options,
  );
  const checker = program.getTypeChecker();
  const names = new Names();
  for (const [entry, file] of files) {
    const source = program.getSourceFile(file);
    const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
    const declared = symbols.filter(({ name }) => name !== 'z');
    const lists = declared.map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return `${isTypeOnly(symbol, checker) ? 'type ' : ''}${names.add(symbol.name, target, file.replace(/\.d\.ts$/, '.js'))}`;
    });
    const comment = /^\/\*\*[^]*?\*\/\n/.exec(source.text)?.[0] ?? '';
    const added = augmentations(
      source.text,
      symbols.map(({ name }) => name),
    );
    const zod = symbols.some(({ name }) => name === 'z')
      ? `export * as z from './${basename(zodNames, '.d.ts')}.js';\n`
      : '';
    const list = `${zod}export {\n${lists.map((text) => `  ${text},\n`).join('')}} from './declarations.js';\n`;
    writeFileSync(join(folder, `${entry}.d.ts`), `${comment}${added}${list}`);
  }
  if (existsSync(join(one.folder, zodNames)))
    copyFileSync(join(one.folder, zodNames), join(folder, basename(zodNames)));
  const all = join(folder, 'all.d.ts');
  writeFileSync(all, `${names.statements.join('\n')}\n`);
  extract(configOf(one, all, { rollup: join(folder, 'declarations.d.ts') }));
  rmSync(all);
}

/** Writes the public API of each entry point of a package. */
function report(one, into) {
  const { name } = JSON.parse(readFileSync(join(one.folder, 'package.json'), 'utf8'));
  const configs = Object.entries(one.entries).map(([entry, module]) =>
    configOf(one, declarationsOf(module), { apiReport: { folder: into, name: `${basename(name)}.${entry}.api.md` } }),
  );
  const additionalEntryPoints = configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath);
  const state = CompilerState.create(configs[0], { additionalEntryPoints });
  for (const config of configs) extract(config, state);
}

const [, , command, into] = process.argv;
for (const one of packages) {
  splitNamespaceExports(one);
  separate(one);
  if (command === 'report') {
    mkdirSync(into, { recursive: true });
    report(one, resolve(into));
  } else rollUp(one);
}
if (command === 'report') rmSync(join(into, 'temp'), { recursive: true, force: true });
