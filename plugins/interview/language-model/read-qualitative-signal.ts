import { AssizeError, describeValue, type RunFacts, z } from '../../../src/sdk.js';
import type { QualitativeSignalName, QualitativeSignals, Reading } from './qualitative-signals.js';

/** The params of a signal that is a part of a reading. */
export const readingParams = z.strictObject({
  from: z
    .string()
    .min(1)
    .default('reading')
    .describe('The id of the ConversationReading among the signals, which stands before this one.'),
});

export type ReadingParams = z.output<typeof readingParams>;

/**
 * Reads one signal of a reading. Undefined where there is no reading (it is switched off, or failed and reported that
 * itself), or where the conversation shows nothing of this signal.
 *
 * @throws AssizeError ASZ528 where the model's answer for it was malformed
 */
export function readQualitativeSignal<K extends QualitativeSignalName>(
  name: K,
  { from }: ReadingParams,
  { signals }: RunFacts,
): NonNullable<QualitativeSignals[K]> | undefined {
  const reading = signals[from];
  if (reading === undefined) return undefined;
  if (!isReading(reading)) {
    throw signalError(`the signal ${from} is ${describeValue(reading)}; expected what a ConversationReading gives`);
  }
  const error = reading.errors[name];
  if (error !== undefined) throw signalError(`the answer of ${reading.model} is wrong here: ${error}`);
  return reading[name] ?? undefined;
}

const signalError = (message: string): AssizeError => new AssizeError([{ code: 'ASZ528', message }]);

const isReading = (value: unknown): value is Reading =>
  typeof value === 'object' && value !== null && 'errors' in value && 'model' in value;
