import { escapeInvisible } from '../../base/index.js';
import { findPackage, foldersUpFrom, mapOf, readManifest } from './find-package.js';

/** A verb of a package, as the help lists it without importing the package. */
export interface ListedVerb {
  /** The package, which exports the verb from its subpath `./verbs`. */
  readonly from: string;
  readonly summary: string;
  /** Its arguments, as commander declares them. */
  readonly args?: string;
}

/**
 * The verbs that the dependencies of the user's project offer, by name: `assize.verbs` in their package.json. Nothing is
 * imported. If two packages offer a name, the first one has it.
 */
export function projectVerbs(folder: string): Readonly<Record<string, ListedVerb>> {
  const found: Record<string, ListedVerb> = Object.create(null);
  for (const from of dependenciesOf(folder)) {
    const { manifest = {} } = findPackage(from, folder) ?? {};
    for (const [name, summary] of Object.entries(mapOf(mapOf(manifest, 'assize'), 'verbs'))) {
      if (/^[a-z][\w-]*$/.test(name)) found[name] ??= { from, summary: escapeInvisible(String(summary)) };
    }
  }
  return found;
}

/** The names of the dependencies in the nearest package.json. */
function dependenciesOf(folder: string): readonly string[] {
  const project = foldersUpFrom(folder)
    .map(readManifest)
    .find((manifest) => manifest !== undefined);
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
  return project ? kinds.flatMap((kind) => Object.keys(mapOf(project, kind))) : [];
}
