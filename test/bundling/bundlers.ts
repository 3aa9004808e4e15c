import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { build as rolldown } from 'rolldown';

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

/** CommonJS inside an ES module requires Node's built-in modules. */
const REQUIRE = `import { createRequire as requireOfBundle } from 'node:module'; const require = requireOfBundle(import.meta.url);`;

export const byEsbuild: Bundler = async (program, { project, platform, format = 'esm', minify = false }) => {
  const { outputFiles, metafile, warnings } = await esbuild({
    stdin: { contents: program, resolveDir: project },
    preserveSymlinks: true, // so that the project's own node_modules counts
    bundle: true,
    platform,
    format,
    minify,
    write: false,
    metafile: true,
    logLevel: 'silent',
    ...(platform === 'node' && format === 'esm' && { banner: { js: REQUIRE } }),
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  return { code: outputFiles[0]?.text ?? '', imports, warnings: warnings.map(({ text }) => text) };
};

/** The bundler inside Vite. */
export const byRolldown: Bundler = async (program, { project, platform, format = 'esm', minify = false }) => {
  const input = join(project, 'program.mjs');
  writeFileSync(input, program);
  const warnings: string[] = [];
  const { output } = await rolldown({
    input,
    resolve: { symlinks: false }, // so that the project's own node_modules counts
    platform,
    write: false,
    onLog: (_, { message }) => void warnings.push(message),
    output: { format, codeSplitting: false, minify },
  });
  const [{ code, fileName, imports, dynamicImports }] = output;
  return { code, imports: [...imports, ...dynamicImports].filter((file) => file !== fileName), warnings };
};
