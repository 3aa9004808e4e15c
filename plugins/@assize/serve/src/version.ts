import { createRequire } from 'node:module';
import { isMap } from 'assize/sdk';

/** The version of Assize. The packages around it have the same one. */
export function packageVersion(): string {
  const described: unknown = createRequire(import.meta.url)('assize/package.json');
  return isMap(described) ? String(described['version']) : '';
}
