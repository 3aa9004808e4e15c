/**
 * Builds the documentation site into `plugins/site/dist`, from READMEs, guides, doc comments, the schema and tables in
 * the code.
 *
 *     npm run docs
 *     npm run docs -- --serve          builds it, and serves it on localhost
 *     npm run docs -- --base /assize/  for a site below the root of its host
 *
 * @module
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { composeSite, folder, generatedFolder } from './site.js';
import { writePages, writeTwins } from './write.js';

const { values } = parseArgs({
  options: {
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '4173' },
    base: { type: 'string', default: '/' },
  },
});

const output = join(folder, 'dist');
const start = performance.now();
rmSync(generatedFolder, { recursive: true, force: true });
rmSync(output, { recursive: true, force: true });
const site = await composeSite();
writePages(site);
await vitepress('build', '--base', values.base);
writeTwins(site, output);
console.log(`${site.pages.size} pages in ${((performance.now() - start) / 1000).toFixed(0)} s: ${output}`);
if (values.serve) await vitepress('preview', '--port', values.port, '--base', values.base);

/** Runs VitePress in a process of its own, which loads `.vitepress/config.ts`. */
function vitepress(...args: readonly string[]): Promise<void> {
  const require = createRequire(join(folder, 'package.json'));
  const bin = join(dirname(require.resolve('vitepress/package.json')), 'bin/vitepress.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd: folder, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`vitepress ${args[0]} failed`))));
  });
}
