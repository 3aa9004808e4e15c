/** Scripts that are written without spaces between words. */
const UNSPACED_SCRIPTS =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const RUN = new RegExp(`[${UNSPACED_SCRIPTS}ー]+|(?:(?![${UNSPACED_SCRIPTS}ー])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS}ー]`, 'u');

/**
 * Splits a text into runs of letters and digits, each of scripts with spaces or without, in lower case and NFKC form.
 */
export const wordRuns = (text: string): readonly string[] => text.normalize('NFKC').toLowerCase().match(RUN) ?? [];

/** Whether a run is of a script without spaces, where pairs of neighbouring characters are used as words. */
export const isUnspaced = (run: string): boolean => IS_UNSPACED.test(run);
