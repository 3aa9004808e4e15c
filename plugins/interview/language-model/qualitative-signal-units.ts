import { defineSignal, type RunFacts, type Signal } from '../../../src/sdk.js';
import type { QualitativeSignalName, QualitativeSignals } from './qualitative-signals.js';
import { type ReadingParams, readingParams, readQualitativeSignal } from './read-qualitative-signal.js';

/** Makes the unit of one qualitative signal, which reads its part of the answer that a `ConversationReading` got. */
const signalUnit = <K extends QualitativeSignalName>(name: K, summary: string) =>
  class implements Signal<ReadingParams, NonNullable<QualitativeSignals[K]> | undefined> {
    static readonly meta = defineSignal({ summary, params: readingParams });

    prepare(params: ReadingParams, run: RunFacts): NonNullable<QualitativeSignals[K]> | undefined {
      return readQualitativeSignal(name, params, run);
    }
  };

/** Gives what the respondent is unsure of, and why. `severity` and the model's own `confidence` are 0 to 1. */
export class UncertaintySignal extends signalUnit(
  'uncertainty',
  'What the respondent is unsure of, as a language model reads it.',
) {}

/** Gives how the respondent reasons. `depth_score` is 0 (a bare reaction) to 1. */
export class ReasoningSignal extends signalUnit(
  'reasoning',
  'How the respondent reasons, as a language model reads it.',
) {}

/** Gives how engaged the respondent feels, and the trajectory over the last answers. */
export class EmotionalSignal extends signalUnit(
  'emotional',
  'How engaged the respondent feels, as a language model reads it.',
) {}

/** Gives whether the respondent contradicts an earlier statement, and both statements. */
export class ContradictionSignal extends signalUnit(
  'contradiction',
  'Whether the respondent contradicts what they said before, as a language model reads it.',
) {}

/**
 * Gives whether a "don't know" is the end of a topic (`is_terminal`) or a beginning: curious respondents may be asked
 * on.
 */
export class KnowledgeCeilingSignal extends signalUnit(
  'knowledge_ceiling',
  'Whether a "don’t know" ends the topic, as a language model reads it.',
) {}

/**
 * Gives how abstract the talk has become: `abstraction_level` is 0 where it is concrete, and 1 where it is abstract.
 */
export class ConceptDepthSignal extends signalUnit(
  'concept_depth',
  'How abstract the talk has become, as a language model reads it.',
) {}
