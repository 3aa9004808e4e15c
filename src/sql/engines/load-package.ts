import { importOptional, type OptionalPackage, OptionalPackageError } from '../../services/optional-package.js';
import { fail } from '../problems.js';

/**
 * Imports the package of an engine, as `importOptional` does.
 *
 * @throws AssizeError where it is missing (ASZ565)
 */
export async function loadPackage<Library>(
  wanted: OptionalPackage<Library>,
  load: () => Promise<unknown>,
): Promise<Library> {
  try {
    return await importOptional(wanted, load);
  } catch (error) {
    if (error instanceof OptionalPackageError) fail('ASZ565', error.message, undefined, error);
    throw error;
  }
}
