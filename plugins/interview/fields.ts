import { isMap, ownValue, type RunFacts, type Score, type Signals, typeMismatch } from '../../src/unit-sdk.js';
import type { QualitativeSignalName } from './qualitative-signals.js';

/** A candidate of an interview: a strategy with a focus. */
export interface InterviewMove {
  readonly strategy: string;
  /** The strategy's `type_category`: depth, breadth, coverage … */
  readonly category: string | undefined;
  readonly node: string | undefined;
  readonly element: string | undefined;
  /** The focus in words; empty if there is none. */
  readonly description: string;
}

/**
 * Reads a candidate: `strategy.id`, `strategy.type_category`, `focus.node_id`, `focus.element_id`,
 * `focus.focus_description`. Only the strategy's id is required.
 */
export function readMove(candidate: unknown): InterviewMove {
  const fields: Fields | undefined = asFields(candidate, 'candidate');
  const strategy = mapAt(fields, 'strategy', 'candidate');
  const focus = mapAt(fields, 'focus', 'candidate');
  const id = idAt(strategy, 'id', 'candidate.strategy');
  if (id === undefined) throw new TypeError('candidate.strategy.id is absent: a move is a strategy with a focus');
  return {
    strategy: id,
    category: textAt(strategy, 'type_category', 'candidate.strategy'),
    node: idAt(focus, 'node_id', 'candidate.focus'),
    element: idAt(focus, 'element_id', 'candidate.focus'),
    description: textAt(focus, 'focus_description', 'candidate.focus') ?? '',
  };
}

/** The function of a veto that never refuses the strategies in `exempt_strategies`. */
export function unlessExempt(
  params: { readonly exempt_strategies: readonly string[] },
  refuses: Score<InterviewMove, boolean>,
): Score<unknown, boolean> {
  const exempt = new Set(params.exempt_strategies);
  return (candidate, index, note) => {
    const move = readMove(candidate);
    if (!exempt.has(move.strategy)) return refuses(move, index, note);
    note?.('exempt', { strategy: move.strategy });
    return false;
  };
}

/** Whether a move goes deeper: by its category, or because its strategy is `deepen`, which every interview has. */
export const isDepth = ({ strategy, category }: InterviewMove): boolean =>
  category === 'depth' || strategy === 'deepen';

/** Whether a move widens the interview: to new topics, or to elements that are not covered. */
export const isWidening = ({ category }: InterviewMove): boolean => category === 'breadth' || category === 'coverage';

/** The phrase for an element in an answer: `creamy_texture` becomes "creamy texture". */
export const elementPhrase = (element: string): string => element.toLowerCase().replaceAll('_', ' ');

/** The counters of a turn that a caller may track. */
type CounterName = 'terminal_streak' | 'low_info_streak' | 'repetition_count';

/**
 * Returns a counter from the context if the caller tracks it, otherwise from the signal of that name, otherwise
 * computed.
 */
export const counterOf = (
  { context, signals }: Pick<RunFacts, 'context' | 'signals'>,
  name: CounterName,
  compute: () => number,
): number => numberAt(context, name, 'context') ?? numberAt(signals, name, 'signals') ?? compute();

/**
 * Reads a signal of a language model if the params request it and it is present. It then decides alone, and the rules
 * are not evaluated. An empty map counts as absent.
 */
export function languageModelSignal(
  signals: Signals,
  name: QualitativeSignalName,
  { use_llm_signals: wanted }: { readonly use_llm_signals: boolean },
): Fields | undefined {
  const signal = wanted ? mapAt(signals, name, 'signals') : undefined;
  return signal !== undefined && Object.keys(signal).length > 0 ? signal : undefined;
}

/** A map of the context, the signals or a candidate. */
export type Fields = Readonly<Record<string, unknown>>;

/*
 * Readers of maps from a caller. Each reads an own key. Absent and null values become `undefined` or the empty value. A
 * value of another type throws a TypeError with its path; `where` is the part of the path before the key.
 */

/** A value as a map; undefined if it is absent. */
export function asFields(value: unknown, where: string): Fields | undefined {
  if (value === undefined || value === null) return undefined;
  if (isMap(value)) return value;
  throw typeMismatch(where, 'a map', value);
}

export const mapAt = (fields: Fields | undefined, key: string, where: string): Fields | undefined =>
  asFields(ownValue(fields, key), `${where}.${key}`);

/** The list under a key; empty if it is absent. */
export function listAt(fields: Fields | undefined, key: string, where: string): readonly unknown[] {
  const value = ownValue(fields, key) ?? [];
  if (Array.isArray(value)) return value;
  throw typeMismatch(`${where}.${key}`, 'a list', value);
}

/** Whether there is a list under a key. */
export const hasList = (fields: Fields | undefined, key: string): boolean => Array.isArray(ownValue(fields, key));

export function textAt(fields: Fields | undefined, key: string, where: string): string | undefined {
  const value = ownValue(fields, key);
  if (value === undefined || typeof value === 'string') return value;
  throw typeMismatch(`${where}.${key}`, 'a string', value);
}

/** The finite number under a key. */
export function numberAt(fields: Fields | undefined, key: string, where: string): number | undefined {
  const value = ownValue(fields, key);
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw typeMismatch(`${where}.${key}`, 'a finite number', value);
}

/** The boolean under a key; false if it is absent. */
export function flagAt(fields: Fields | undefined, key: string, where: string): boolean {
  const value = ownValue(fields, key) ?? false;
  if (typeof value === 'boolean') return value;
  throw typeMismatch(`${where}.${key}`, 'true or false', value);
}

/** An id as text; numbers are accepted. An empty id counts as absent, because every text would contain it. */
function asId(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw typeMismatch(where, 'an id (a string or a number)', value);
}

export const idAt = (fields: Fields | undefined, key: string, where: string): string | undefined =>
  asId(ownValue(fields, key), `${where}.${key}`);

/** The ids in a list; empty if it is absent. */
export const idsAt = (fields: Fields | undefined, key: string, where: string): readonly string[] =>
  listAt(fields, key, where).flatMap((item, i) => asId(item, `${where}.${key}[${i}]`) ?? []);
