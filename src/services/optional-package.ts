import { isModuleNotFound, messageWithCauses, toError } from '../base/index.js';

/** A package that the user installs for units that need it. `Library` is the used part of it. */
export interface OptionalPackage<Library> {
  readonly name: string;
  /** The subject of messages: `an index`. */
  readonly neededBy: string;
  /** The export that an unsuitable version lacks, for messages: `Index`. */
  readonly part: string;
  /** Whether a module has the used part of the package. */
  readonly isLibrary: (module: unknown) => module is Library;
}

/** An optional package that cannot be used: not installed, failed to load, or an unsuitable version. */
export class OptionalPackageError extends Error {
  override readonly name = 'OptionalPackageError';
  constructor(
    readonly reason: 'missing' | 'failed' | 'unsuitable',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

function loadError({ name, neededBy }: OptionalPackage<unknown>, thrown: unknown): OptionalPackageError {
  const cause = toError(thrown);
  if (isModuleNotFound(cause)) {
    const message = `${neededBy} needs a package that is not installed: npm install ${name}`;
    return new OptionalPackageError('missing', message, { cause });
  }
  return new OptionalPackageError('failed', `${name} cannot be loaded: ${messageWithCauses(cause)}`, { cause });
}

function checkLibrary<Library>({ name, part, isLibrary }: OptionalPackage<Library>, module: unknown): Library {
  if (isLibrary(module)) return module;
  throw new OptionalPackageError('unsuitable', `${name} is installed, but its version has no ${part}`);
}

/** Marks the import of an optional package as handled, so that a bundler accepts that it is missing. */
export const rethrow = (error: unknown): never => {
  throw error;
};

/**
 * Imports an optional package.
 *
 * @param load imports the module by a literal name, so that bundlers find it; with `.catch(rethrow)`, so that they
 *   accept that it is missing
 * @throws OptionalPackageError
 */
export async function importOptional<Library>(
  wanted: OptionalPackage<Library>,
  load: () => Promise<unknown>,
): Promise<Library> {
  const module = await load().catch((thrown: unknown) => {
    throw loadError(wanted, thrown);
  });
  return checkLibrary(wanted, module);
}

/**
 * Requires an optional package synchronously, so that loading a profile fails if the package is missing.
 *
 * @param load requires the module
 * @throws OptionalPackageError
 */
export function requireOptional<Library>(wanted: OptionalPackage<Library>, load: () => unknown): Library {
  let module: unknown;
  try {
    module = load();
  } catch (thrown) {
    throw loadError(wanted, thrown);
  }
  return checkLibrary(wanted, module);
}
