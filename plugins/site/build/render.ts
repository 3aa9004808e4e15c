import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { folder } from './site.js';

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

/** Renders the generated pages into `plugins/site/dist`. */
export const renderSite = (base: string): Promise<void> => vitepress('build', '--base', base);

/** Serves the built site until the process is stopped. */
export const serveSite = (port: number, base: string): Promise<void> =>
  vitepress('preview', '--port', String(port), '--base', base);
