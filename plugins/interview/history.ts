import type { Context } from '../../src/unit-sdk.js';
import { asFields, idsAt, listAt, textAt } from './fields.js';

/** An answer or a question in the conversation. */
interface Utterance {
  /** `user` answers, `system` asks questions. */
  readonly speaker: string;
  readonly text: string;
  /** The text in lower case, for phrase search. */
  readonly lower: string;
  /** The concepts of the answer, if the caller lists them. */
  readonly concepts: readonly string[];
}

/** Reads the context's `history`, oldest first, up to the answer that precedes the next move. */
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

/** Splits a text into words at whitespace. Punctuation remains part of its word. */
export const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** Whether a word has more than three characters. Shorter words are too common to match a topic. */
export const isContentWord = (word: string): boolean => Array.from(word).length > 3;

/** The phrases that a lower-case text contains, each once. */
export const phrasesIn = (text: string, phrases: readonly string[]): readonly string[] =>
  phrases.filter((phrase) => text.includes(phrase));

/** Whether a lower-case text contains one of the phrases. */
export const containsAny = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => text.includes(phrase));

/** Phrases that show that the respondent has nothing more to say. */
export const EXHAUSTION_PHRASES: readonly string[] = [
  'nothing',
  "don't know",
  'do not know',
  "can't think",
  'cannot think',
  "that's it",
  'that is it',
  "that's all",
  'that is all',
  "no, that's",
];

/** The rate of new concepts below which a turn counts as "little new". */
const LOW_RATE = 0.2;

/** The share of an answer's concepts that are new, 0 to 1; 1 for an answer without concepts. */
export function newInformationRate(concepts: readonly string[], known: ReadonlySet<string>): number {
  if (concepts.length === 0) return 1;
  return concepts.filter((concept) => !known.has(concept.toLowerCase())).length / concepts.length;
}

/** The number of turns in a row with little new, after one more turn with this rate. */
export const nextLowInfoStreak = (rate: number, before: number): number => (rate < LOW_RATE ? before + 1 : 0);

/** The number of latest turns in a row with little new, by the concepts of the answers. */
export function lowInfoStreak(history: readonly Utterance[]): number {
  const known = new Set<string>();
  let streak = 0;
  for (const { concepts } of answersOf(history)) {
    streak = nextLowInfoStreak(newInformationRate(concepts, known), streak);
    for (const concept of concepts) known.add(concept.toLowerCase());
  }
  return streak;
}
