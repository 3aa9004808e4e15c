/** Scripts that put no spaces between words. */
const UNSPACED_SCRIPTS =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const RUN = new RegExp(`[${UNSPACED_SCRIPTS}ー]+|(?:(?![${UNSPACED_SCRIPTS}ー])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS}ー]`, 'u');

/** The runs of letters and digits of a text, each of scripts with spaces or without. Width, compatibility forms and case are ignored. */
export const wordRuns = (text: string): readonly string[] => text.normalize('NFKC').toLowerCase().match(RUN) ?? [];

/** Whether a run is of a script without spaces: pairs of neighbouring characters then stand in for words. */
export const isUnspaced = (run: string): boolean => IS_UNSPACED.test(run);
