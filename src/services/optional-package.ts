import { AssizeError, isModuleNotFound, messageWithCauses, type ProblemCode, toError } from '../base/index.js';

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

/** An `isLibrary` that looks for exports by name. */
export const hasParts =
  <Library extends object>(...parts: readonly (keyof Library)[]) =>
  (module: unknown): module is Library =>
    typeof module === 'object' && module !== null && parts.every((part) => part in module);

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
 * @throws AssizeError (`missing` if it is not installed, otherwise `unusable`)
 */
export function requireOptional<Library>(
  wanted: OptionalPackage<Library>,
  load: () => unknown,
  { missing, unusable }: { readonly missing: ProblemCode; readonly unusable: ProblemCode },
): Library {
  try {
    return checkLibrary(wanted, load());
  } catch (thrown) {
    const { reason, message, cause } = thrown instanceof OptionalPackageError ? thrown : loadError(wanted, thrown);
    throw new AssizeError([{ code: reason === 'missing' ? missing : unusable, message }], message, { cause });
  }
}
