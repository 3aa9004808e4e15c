/** Why SQL cannot say something: the row, or the entry, is left to the process. */
export class Untranslatable extends Error {
  override readonly name = 'Untranslatable';
}
