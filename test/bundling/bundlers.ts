import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { build as esbuild } from 'esbuild';
import { build as rolldown } from 'rolldown';
import { type Plugin, rollup } from 'rollup';
import { build as vite, type Rolldown } from 'vite';
import webpack from 'webpack';

/** The program to bundle, and its platform. */
export interface BundleOptions {
  /** The folder whose node_modules is used. */
  readonly project: string;
  readonly platform: 'node' | 'browser';
  readonly format?: 'esm' | 'cjs';
  readonly minify?: boolean;
}

/** The result: one file with everything that the program can load. */
export interface Bundle {
  readonly code: string;
  /** The remaining imports. */
  readonly imports: readonly string[];
  /** The output of the bundler. */
  readonly warnings: readonly string[];
}

/** Bundles a program as a user of Assize does. */
export type Bundler = (program: string, options: BundleOptions) => Promise<Bundle>;

export const byEsbuild: Bundler = async (program, { project, platform, format = 'esm', minify = false }) => {
  const { outputFiles, metafile, warnings } = await esbuild({
    stdin: { contents: program, resolveDir: project },
    tsconfigRaw: '{}', // the paths of this repository lead to the sources
    preserveSymlinks: true, // so that the project's own node_modules counts
    bundle: true,
    platform,
    format,
    minify,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  return { code: outputFiles[0]?.text ?? '', imports, warnings: warnings.map(({ text }) => text) };
};

/** Writes the program to a file of its project. */
function programFile(project: string, program: string): string {
  const file = join(project, 'program.mjs');
  writeFileSync(file, program);
  return file;
}

/** The imports of a file besides those of the file itself. */
const otherImports = ({ fileName, imports, dynamicImports }: Rolldown.OutputChunk | RollupChunk): readonly string[] =>
  [...imports, ...dynamicImports].filter((file) => file !== fileName);

/** The bundler inside Vite. */
export const byRolldown: Bundler = async (program, { project, platform, format = 'esm', minify = false }) => {
  const warnings: string[] = [];
  const { output } = await rolldown({
    input: programFile(project, program),
    resolve: { symlinks: false }, // so that the project's own node_modules counts
    platform,
    write: false,
    onLog: (_, { message }) => void warnings.push(message),
    output: { format, codeSplitting: false, minify },
  });
  return { code: output[0].code, imports: otherImports(output[0]), warnings };
};

// Their types declare a default export that their ES modules do not have.
const require = createRequire(import.meta.url);
const commonjs: () => Plugin = require('@rollup/plugin-commonjs');
const json: () => Plugin = require('@rollup/plugin-json');

type RollupChunk = Pick<Rolldown.OutputChunk, 'fileName' | 'imports' | 'dynamicImports'>;

/** What Rollup remarks about the files of zod. */
const OF_PACKAGES: ReadonlySet<string> = new Set(['CIRCULAR_DEPENDENCY', 'INVALID_ANNOTATION']);

/** Rollup finds packages, and reads CommonJS and JSON, with its own plugins. */
export const byRollup: Bundler = async (program, { project, platform, format = 'esm' }) => {
  const warnings: string[] = [];
  const bundle = await rollup({
    input: programFile(project, program),
    preserveSymlinks: true,
    plugins: [
      nodeResolve({ browser: platform === 'browser', preferBuiltins: platform === 'node' }),
      commonjs(),
      json(),
    ],
    onLog: (_, { code = '', message }) => {
      if (!OF_PACKAGES.has(code)) warnings.push(message);
    },
  });
  const { output } = await bundle.generate({ format, inlineDynamicImports: true });
  await bundle.close();
  return { code: output[0].code, imports: otherImports(output[0]), warnings };
};

export const byVite: Bundler = async (program, { project, platform, format = 'esm', minify = false }) => {
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const result = await vite({
    configFile: false,
    root: project,
    resolve: { preserveSymlinks: true },
    ssr: { noExternal: true },
    customLogger: {
      info: () => undefined,
      warn,
      warnOnce: warn,
      error: warn,
      clearScreen: () => undefined,
      hasErrorLogged: () => false,
      hasWarned: false,
    },
    build: {
      ssr: platform === 'node',
      write: false,
      minify,
      target: 'esnext',
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      modulePreload: false,
      rolldownOptions: { input: programFile(project, program), output: { format, codeSplitting: false } },
    },
  });
  const [first] = [result].flat();
  if (first === undefined || !('output' in first)) throw new Error('vite has built nothing');
  return { code: first.output[0].code, imports: otherImports(first.output[0]), warnings };
};

export const byWebpack: Bundler = async (program, { project, platform, format = 'esm', minify = false }) => {
  const stats = await new Promise<webpack.Stats>((resolve, reject) => {
    webpack(
      {
        mode: 'production',
        context: project,
        entry: programFile(project, program),
        target: platform === 'browser' ? 'web' : 'node',
        resolve: { symlinks: false },
        experiments: { outputModule: format === 'esm' },
        output: { path: join(project, 'webpack'), filename: 'main.js', module: format === 'esm' },
        optimization: { minimize: minify },
        performance: false,
        plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
      },
      (error, result) => (result === undefined ? reject(error ?? new Error('no result')) : resolve(result)),
    );
  });
  const {
    errors = [],
    warnings = [],
    assets = [],
  } = stats.toJson({ all: false, errors: true, warnings: true, assets: true });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return {
    code: readFileSync(join(project, 'webpack', 'main.js'), 'utf8'),
    imports: assets.map(({ name }) => name).filter((name) => name !== 'main.js'),
    warnings: warnings.map(({ message }) => message),
  };
};
