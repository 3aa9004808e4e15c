import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

/** The version in package.json. */
export function packageVersion(): string {
  const described: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  const version = typeof described === 'object' && described !== null && 'version' in described && described.version;
  return String(version);
}
