import type { Context } from '../../../src/sdk.js';
import { asFields, idsAt, listAt, textAt } from './field-readers.js';

/** One thing that was said. */
export interface Utterance {
  /** `user` answers, `system` asks. */
  readonly speaker: string;
  readonly text: string;
  /** The text that phrases are looked for in. */
  readonly lower: string;
  /** The concepts that the answer was found to speak of, where the caller says them. */
  readonly concepts: readonly string[];
}

/** The context's `history`: oldest first, up to the answer that is to be followed up. */
export const historyOf = (context: Context): readonly Utterance[] =>
  listAt(context, 'history', 'context').flatMap((item, i): Utterance[] => {
    const where = `context.history[${i}]`;
    const fields = asFields(item, where);
    const text = textAt(fields, 'text', where) ?? '';
    const speaker = textAt(fields, 'speaker', where) ?? '';
    return [{ speaker, text, lower: text.toLowerCase(), concepts: idsAt(fields, 'concepts', where) }];
  });

/** The last so many utterances, of either speaker. */
export const lastOf = (history: readonly Utterance[], count: number): readonly Utterance[] => history.slice(-count);

export const answersOf = (history: readonly Utterance[]): readonly Utterance[] =>
  history.filter(({ speaker }) => speaker === 'user');

export const questionsOf = (history: readonly Utterance[]): readonly Utterance[] =>
  history.filter(({ speaker }) => speaker === 'system');

/** How many of the latest utterances in a row are so; those without a word are passed over. */
export function streakOf(utterances: readonly Utterance[], is: (utterance: Utterance) => boolean): number {
  const spoken = utterances.filter(({ text }) => text.trim() !== '');
  const other = spoken.findLastIndex((utterance) => !is(utterance));
  return spoken.length - 1 - other;
}
