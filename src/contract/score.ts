import type { Note } from './note.js';

/**
 * What every veto and scorer comes down to: a pure, synchronous function of one candidate.
 *
 * It logs nothing, locks nothing and remembers nothing; asked twice, it says the same.
 *
 * @param candidate the candidate, never to be written to
 * @param index     its position in the candidates that this unit was given
 * @param note      present only when somebody asked why
 * @returns the number (a veto: whether it refuses), or `undefined` to abstain
 */
export type Score<T, V = number> = (candidate: T, index: number, note?: Note) => V | undefined;

/**
 * What preparing a batch gives: the score, with the memory after the batch where the unit keeps one. An error says that
 * it cannot be prepared, as throwing it does, and costs less: for what stays so from run to run, such as a model that
 * cannot be had.
 */
export type Prepared<T, V, M> = Score<T, V> | { readonly score: Score<T, V>; readonly memory: M } | Error;
