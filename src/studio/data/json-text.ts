import { toAssizeError } from '../../diagnostics/index.js';

/**
 * Data as text.
 *
 * @throws AssizeError (ASZ655) where that is longer than a string can be: half a gigabyte in Node
 */
export function jsonText(data: object): string {
  try {
    return JSON.stringify(data);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'these candidates are more than a page can be given';
    const hint = 'leave fields out that no scorer reads, or look at the best of them: assize rank --top';
    throw toAssizeError([{ code: 'ASZ655', message, hint }], { cause: error });
  }
}
