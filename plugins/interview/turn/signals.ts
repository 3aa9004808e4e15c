import type { RunFacts, Signals } from '../../../src/sdk.js';
import type { QualitativeSignalName } from '../language-model/qualitative-signals.js';
import { type Fields, mapAt, numberAt } from './field-readers.js';

/** The counters of a turn that a caller may keep. */
export type CounterName = 'terminal_streak' | 'low_info_streak' | 'repetition_count';

/** Reads a counter from the context, where the caller keeps it, or the signal of that name, or computes it. */
export const counterOf = (
  { context, signals }: Pick<RunFacts, 'context' | 'signals'>,
  name: CounterName,
  compute: () => number,
): number => numberAt(context, name, 'context') ?? numberAt(signals, name, 'signals') ?? compute();

/**
 * Reads a signal of a language model, where the params want it and it is present: it then decides alone, and the rules
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
