import type { Context } from '../../../src/sdk.js';
import { asFields, idsAt, listAt, textAt } from './field-readers.js';

/** An answer or a question of the conversation. */
export interface Utterance {
  /** `user` answers, `system` asks. */
  readonly speaker: string;
  readonly text: string;
  /** The text in lower case, in which phrases are searched. */
  readonly lower: string;
  /** The concepts of the answer, where the caller lists them. */
  readonly concepts: readonly string[];
}

/** Reads the context's `history`: oldest first, up to the answer that the next move follows up. */
export const historyOf = (context: Context): readonly Utterance[] =>
  listAt(context, 'history', 'context').flatMap((item, i): Utterance[] => {
    const where = `context.history[${i}]`;
    const fields = asFields(item, where);
    const text = textAt(fields, 'text', where) ?? '';
    const speaker = textAt(fields, 'speaker', where) ?? '';
    return [{ speaker, text, lower: text.toLowerCase(), concepts: idsAt(fields, 'concepts', where) }];
  });

/** The last utterances, of either speaker. */
export const lastOf = (history: readonly Utterance[], count: number): readonly Utterance[] => history.slice(-count);

export const answersOf = (history: readonly Utterance[]): readonly Utterance[] =>
  history.filter(({ speaker }) => speaker === 'user');

export const questionsOf = (history: readonly Utterance[]): readonly Utterance[] =>
  history.filter(({ speaker }) => speaker === 'system');

/** The number of latest utterances in a row that match; blank ones are skipped. */
export function streakOf(utterances: readonly Utterance[], matches: (utterance: Utterance) => boolean): number {
  const spoken = utterances.filter(({ text }) => text.trim() !== '');
  const other = spoken.findLastIndex((utterance) => !matches(utterance));
  return spoken.length - 1 - other;
}
