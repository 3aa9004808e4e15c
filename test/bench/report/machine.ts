import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';

/** What it was measured on. */
export function machine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `${cpus().length} × ${first?.model.trim() ?? 'an unknown processor'}`,
    `${memory} GiB`,
    `${type()} ${release().replace(/-.*/, '')}`,
    `Node ${process.versions.node} (V8 ${process.versions.v8})`,
  ].join(', ');
}

/** The version of a package that is installed here; of this one, its own. */
export function versionOf(name: string): string {
  const folder = name === 'assize' ? packageRoot() : join(packageRoot(), 'node_modules', name);
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}
