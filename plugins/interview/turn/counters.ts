import type { RunFacts } from '../../../src/sdk.js';
import { numberAt } from './field-readers.js';

/** The counters of a turn that a caller may keep himself. */
export type CounterName = 'terminal_streak' | 'low_info_streak' | 'repetition_count';

/** A counter: the context's where the caller keeps it, else the signal of that name, else what the history says. */
export const counterOf = (
  { context, signals }: Pick<RunFacts, 'context' | 'signals'>,
  name: CounterName,
  count: () => number,
): number => numberAt(context, name, 'context') ?? numberAt(signals, name, 'signals') ?? count();
