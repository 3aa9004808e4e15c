import { isModuleNotFound, messageWithCauses, toError } from '../base/index.js';

/** A package that only some units need, and that a user installs for them. `Library` is the part of it that is used. */
export interface OptionalPackage<Library> {
  readonly name: string;
  /** What needs it, as messages begin: `an index`. */
  readonly neededBy: string;
  /** What another version may lack, in messages: `Index`. */
  readonly part: string;
  /** Whether a module is the package, with all that is used of it. */
  readonly isLibrary: (module: unknown) => module is Library;
}

/** An optional package that cannot be used: not installed, failing to load, or without what is used of it. */
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
 * @param load imports the module, if it is used: a bundler sees no name in a variable. With `.catch(rethrow)`, so
 *   that it bundles a package that is there and does without one that is not
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
 * Requires an optional package: the same without waiting, so that a profile that needs it fails when it is loaded.
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
