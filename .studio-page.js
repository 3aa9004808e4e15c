/**
 * Bundles the page of the studio, with the engine in it, in two ways: as chunks for a server, of which a browser loads
 * most only when it needs them, and as one file for pages without a server.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'rolldown';
import { licenceCollector, packageOf } from './.licences.js';

const entry = 'dist/plugins/@assize/studio/src/page/main.js';
/** The engine is loaded on demand, but the page always needs it. */
const enginePart = 'dist/src/pipeline/page-host.js';
/** Pages whose classes have stored results do not need the plugin `core`. */
const corePart = 'dist/src/pipeline/core-plugin.js';

/** The name of a chunk that is loaded when it is needed: that of its package, its plugin or its module. */
function chunkName({ facadeModuleId, moduleIds, name }) {
  const module = facadeModuleId ?? (moduleIds.length === 1 ? moduleIds[0] : undefined);
  if (module === undefined) return `${name}.js`;
  const plugin = /[\\/]plugins[\\/]([\w-]+)[\\/]index\.js$/.exec(module)?.[1];
  return `${packageOf(module)?.name.replace('/', '-').replace('@', '') ?? plugin ?? basename(module, '.js')}.js`;
}

/** A module with all that it imports before it runs. */
function closure(start, modules) {
  const found = new Set([start]);
  for (const id of found) for (const next of modules.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
}

/** Each module belongs to the first of these chunks that needs it; the rest are split as their imports require. */
function groups() {
  const parts = [
    ['engine', enginePart],
    ['page', entry],
    ['core', corePart],
  ].map(([name, start]) => {
    let found;
    return [name, (id, modules) => (found ??= closure(resolve(start), modules)).has(id)];
  });
  return parts.map(([name, has], k) => ({
    name: (id, modules) => (has(id, modules) ? name : null),
    priority: parts.length - k,
    debugName: name,
  }));
}

/** Compressed once, as much as possible, because that takes seconds. */
const compressed = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

/** The styles of the page, in the order of their names. */
function styleSheet(folder) {
  const sheets = readdirSync(folder).sort();
  return sheets.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('');
}

/** The chunks that a chunk needs before it runs, without itself. */
function neededBy(fileName, chunks) {
  const found = new Set([fileName]);
  for (const name of found) for (const next of chunks.find((one) => one.fileName === name).imports) found.add(next);
  return [...found].filter((name) => name !== fileName);
}

/**
 * Writes `page/`: the chunks and the styles, each with its compressed copy, and `page.json`, which has the files that the
 * start needs and a version of all of them. Also writes `studio-page.js`, the page as one script.
 */
export async function bundleStudioPage({ folder, bundle }, plugins, alias) {
  const licences = licenceCollector('@assize/studio');
  const options = { input: { page: entry }, plugins, platform: 'browser', resolve: { alias } };
  const output = { minify: true, banner: (chunk) => licences.banner(chunk) };
  await build({ ...options, output: { ...output, file: `${bundle}/studio-page.js`, codeSplitting: false } });
  const pages = `${bundle}/page`;
  mkdirSync(pages, { recursive: true });
  const { output: chunks } = await build({
    ...options,
    output: {
      ...output,
      dir: pages,
      entryFileNames: '[name].js',
      chunkFileNames: chunkName,
      codeSplitting: { groups: groups() },
    },
  });
  writeFileSync(`${pages}/studio-page.css`, styleSheet(`${folder}/src/page/style`));
  const files = [...chunks.map(({ fileName }) => fileName), 'studio-page.css'].sort();
  const version = createHash('sha256');
  for (const name of files) {
    const text = readFileSync(`${pages}/${name}`);
    version.update(name).update(text);
    writeFileSync(`${pages}/${name}.br`, compressed(text));
  }
  const index = { version: version.digest('hex').slice(0, 16), preloaded: neededBy('page.js', chunks), files };
  writeFileSync(`${pages}/page.json`, `${JSON.stringify(index)}\n`);
  writeFileSync(`${bundle}/LICENSES.txt`, licences.text());
}
