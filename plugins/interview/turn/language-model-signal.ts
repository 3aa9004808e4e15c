import type { Signals } from '../../../src/sdk.js';
import { type Fields, mapAt } from './field-readers.js';

/** What a language model may say of the last answers: signals by these ids. */
export type ReadingName = 'uncertainty' | 'reasoning' | 'contradiction' | 'knowledge_ceiling' | 'concept_depth';

/**
 * A reading, where scorers are to use it and there is one: it then decides alone, and the rules are not asked. One that
 * says nothing is none.
 */
export function languageModelSignal(
  signals: Signals,
  name: ReadingName,
  { use_llm_signals: wanted }: { readonly use_llm_signals: boolean },
): Fields | undefined {
  const reading = wanted ? mapAt(signals, name, 'signals') : undefined;
  return reading !== undefined && Object.keys(reading).length > 0 ? reading : undefined;
}
