import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';

/** The machine of the measurement. */
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

/** The version of an installed package, or of this package itself. */
export function versionOf(name: string): string {
  const folder = name === 'assize' ? packageRoot() : join(packageRoot(), 'node_modules', name);
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}
