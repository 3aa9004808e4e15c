import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { packageRoot } from '../../src/base/package-root.js';

/** The size of what a page loads, minified and gzipped, in bytes. */
export interface PageSize {
  /** Before its first pipeline. */
  readonly start: number;
  /** In addition, with the first pipeline: the engine. */
  readonly pipeline: number;
  /** In addition, with the first profile that is text or a preset: the YAML parser. */
  readonly yaml: number;
  /** Everything that it can load, with every shipped plugin. */
  readonly all: number;
  /** The same in one file, from a bundler that does not split code. */
  readonly oneFile: number;
}

/** Bundles the page, in the files that esbuild produces or in one file. */
const bundlePage = (splitting: boolean) =>
  build({
    stdin: { contents: "export * from 'assize/browser';", resolveDir: join(packageRoot(), 'test') },
    bundle: true,
    splitting,
    minify: true,
    platform: 'browser',
    format: 'esm',
    outdir: join(packageRoot(), 'dist', 'page'),
    write: false,
    metafile: true,
    absWorkingDir: packageRoot(),
    tsconfigRaw: '{}', // its paths lead to the sources
  });

/** The size of `assize/browser` with all its packages. */
export async function pageSize(): Promise<PageSize> {
  const { outputFiles, metafile } = await bundlePage(true);
  const { outputFiles: single } = await bundlePage(false);
  const files = Object.entries(metafile.outputs);
  const bytes = (name: string): number => {
    const file = outputFiles.find(({ path }) => path === join(packageRoot(), name));
    return file === undefined ? 0 : gzipSync(file.contents).length;
  };
  const closure = (start: readonly string[]): readonly string[] => {
    const found = new Set(start);
    for (const name of found) {
      const fixed = metafile.outputs[name]?.imports.filter(({ kind }) => kind !== 'dynamic-import') ?? [];
      for (const { path } of fixed) found.add(path);
    }
    return [...found];
  };
  const sum = (names: readonly string[]): number => names.reduce((total, name) => total + bytes(name), 0);
  const withEntry = (entry: (point: string) => boolean): readonly string[] =>
    files.filter(([, { entryPoint }]) => entryPoint !== undefined && entry(entryPoint)).map(([name]) => name);
  const start = closure(withEntry((point) => point.includes('stdin')));
  const pipeline = closure(withEntry((point) => point.endsWith('/page-pipeline.js')));
  const yaml = closure(withEntry((point) => point.endsWith('/yaml.js')));
  const without = (names: readonly string[], ...loaded: readonly string[]): readonly string[] =>
    names.filter((name) => !loaded.includes(name));
  return {
    start: sum(start),
    pipeline: sum(without(pipeline, ...start)),
    yaml: sum(without(yaml, ...start, ...pipeline)),
    all: sum(files.map(([name]) => name)),
    oneFile: single.reduce((total, { contents }) => total + gzipSync(contents).length, 0),
  };
}
