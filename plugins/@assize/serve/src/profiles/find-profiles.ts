import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toAssizeError } from 'assize';

/** A profile file of the folder. */
export interface ProfileFile {
  /** Its name in requests: `shop`, or with its tenant `acme/shop`. */
  readonly name: string;
  /** The subfolder of the served folder that contains it. */
  readonly tenant: string | undefined;
  /** Absolute. */
  readonly file: string;
}

/** The profiles of a folder, and the folders that were read. */
export interface FoundProfiles {
  readonly profiles: readonly ProfileFile[];
  readonly folders: readonly string[];
}

/** A valid name of a profile or tenant. It cannot be a path, an option of the command line or a hidden file. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const PROFILE = /^(?<name>[A-Za-z0-9].*?)\.ya?ml$/;

/** The file with a profile's golden cases. */
export const expectationsFile = (file: string): string => file.replace(/\.ya?ml$/, '.expect.yaml');

/**
 * The profiles of a folder and of its subfolders, which are tenants: each `NAME.yaml` or `NAME.yml`. Files that start
 * with `_` are ignored, because other profiles extend them; so are files that start with `.`, and `NAME.expect.yaml`.
 *
 * @param folder absolute
 * @throws AssizeError (ASZ597) if the folder cannot be read
 */
export async function findProfiles(folder: string): Promise<FoundProfiles> {
  const own = await profilesIn(folder, undefined);
  const below = await Promise.all(
    own.folders.map(async (tenant) => {
      const path = join(folder, tenant);
      // A folder that has just been removed has no profiles.
      const found = await profilesIn(path, tenant).catch(() => undefined);
      return { folders: [path], profiles: found?.profiles ?? [] };
    }),
  );
  return {
    folders: [folder, ...below.flatMap(({ folders }) => folders)],
    profiles: [...own.profiles, ...below.flatMap(({ profiles }) => profiles)],
  };
}

async function profilesIn(folder: string, tenant: string | undefined): Promise<FoundProfiles> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    const hint = 'pass a folder of profiles: --profiles ./profiles';
    throw toAssizeError([{ code: 'ASZ597', message: `cannot read the folder ${folder}: ${error.message}`, hint }], {
      cause: error,
    });
  });
  const profiles = new Map<string, ProfileFile>();
  for (const { name: entry } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const own = PROFILE.exec(entry)?.groups?.['name'];
    if (own === undefined || !NAME.test(own) || own.endsWith('.expect') || profiles.has(own)) continue;
    profiles.set(own, { name: tenant === undefined ? own : `${tenant}/${own}`, tenant, file: join(folder, entry) });
  }
  // A link may point to a folder. If it points to a file, reading it finds nothing.
  const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  const tenants = folders.filter((name) => NAME.test(name) && !PROFILE.test(name) && name !== 'node_modules');
  return { profiles: [...profiles.values()], folders: tenants };
}
