import { isModuleNotFound, toAssizeError } from '../../base/index.js';

/**
 * Loads the optional package for Arrow.
 *
 * @param purpose in the message if it is not installed: `read films.arrow`
 * @throws AssizeError (ASZ121) if it is not installed
 */
export const loadArrow = (purpose: string): Promise<typeof import('apache-arrow')> =>
  import('apache-arrow').catch((error: unknown) => {
    if (!(error instanceof Error && isModuleNotFound(error))) throw error;
    const message = `to ${purpose}, Assize needs a package that is not installed: npm install apache-arrow`;
    throw toAssizeError([{ code: 'ASZ121', message }], { cause: error });
  });
