import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SHIPPED_PLUGINS } from '../compose.js';
import { effectiveProfile } from '../container.js';
import { toAssizeError } from '../diagnostics/index.js';
import type { ProfileSource } from '../index.js';
import { packageRoot } from '../input/package-root.js';
import { isFileSpec } from '../profile/index.js';

/**
 * What decides the scores on a machine. Two machines with equal fingerprints compute the same of the same candidates, as
 * far as units read nothing else: a model or a file that a unit opens by itself is not in it.
 */
export interface Fingerprint {
  /** The version of Assize. */
  readonly assize: string;
  /** The major version of Node: another V8 may differ in the last bit of `exp`, another ICU in what is lower case. */
  readonly node: string;
  /** A digest of the profile with all that it extends. */
  readonly profile: string;
  /** By each plugin that does not ship: a digest of its module. */
  readonly plugins: Readonly<Record<string, string>>;
}

/** SHA-256, of which 128 bits are more than enough to tell things apart. */
export const digestOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);

/**
 * The fingerprint of a profile on this machine.
 *
 * @param folder what relative paths start from
 */
export async function fingerprintOf(profile: ProfileSource, folder: string | undefined): Promise<Fingerprint> {
  const effective = await effectiveProfile(profile, folder === undefined ? {} : { folder });
  const { version } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  const specs = effective['plugins'] ?? [];
  const plugins: Record<string, string> = {};
  for (const spec of Array.isArray(specs) ? specs.map(String) : []) {
    if (Object.hasOwn(SHIPPED_PLUGINS, spec)) continue;
    // oxlint-disable-next-line no-await-in-loop -- few
    plugins[spec] = digestOf(await readFile(await pluginFile(spec, resolve(folder ?? '.'))));
  }
  return {
    assize: version,
    node: process.versions.node.split('.')[0]!,
    profile: digestOf(JSON.stringify(effective)),
    plugins,
  };
}

async function pluginFile(spec: string, folder: string): Promise<string> {
  if (isFileSpec(spec)) return resolve(folder, spec);
  const { resolve: resolveModule } = await import('import-meta-resolve');
  return fileURLToPath(resolveModule(spec, pathToFileURL(join(folder, 'profile')).href));
}

/** @throws AssizeError (ASZ576) with all that differs between this machine and the one that made the job */
export function checkFingerprint(here: Fingerprint, there: Fingerprint): void {
  const names = [...new Set([...Object.keys(here.plugins), ...Object.keys(there.plugins)])];
  const version = (name: string, own: string, other: string): string | undefined =>
    own === other ? undefined : `${name} is ${own} here, and ${other} where the job was made`;
  const content = (name: string, own?: string, other?: string): string | undefined =>
    own === other ? undefined : `${name} is another one here`;
  const differences = [
    version('Assize', here.assize, there.assize),
    version('Node', here.node, there.node),
    content('the profile', here.profile, there.profile),
    ...names.map((name) => content(`the plugin ${name}`, here.plugins[name], there.plugins[name])),
  ].filter((difference) => difference !== undefined);
  if (differences.length === 0) return;
  const hint = 'scores could differ: give this machine what the other one has, or make the job anew';
  throw toAssizeError(differences.map((message) => ({ code: 'ASZ576', message, hint })));
}
