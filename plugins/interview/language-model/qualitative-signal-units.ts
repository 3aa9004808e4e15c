import { defineSignal, type RunFacts, type Signal } from '../../../src/sdk.js';
import type { QualitativeSignal } from './qualitative-signals.js';
import { type ReadingParams, readingParams, readQualitativeSignal } from './read-qualitative-signal.js';

/*
 * A unit for each qualitative signal: each reads its part of the answer that the `ConversationReading` got.
 */

/** Gives what the respondent is unsure of, and why. `severity` and the model's own `confidence` are 0 to 1. */
export class UncertaintySignal implements Signal<ReadingParams, QualitativeSignal<'uncertainty'> | undefined> {
  static readonly meta = defineSignal({
    summary: 'What the respondent is unsure of, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): QualitativeSignal<'uncertainty'> | undefined {
    return readQualitativeSignal('uncertainty', params, run);
  }
}

/** Gives how the respondent reasons. `depth_score` is 0 (a bare reaction) to 1. */
export class ReasoningSignal implements Signal<ReadingParams, QualitativeSignal<'reasoning'> | undefined> {
  static readonly meta = defineSignal({
    summary: 'How the respondent reasons, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): QualitativeSignal<'reasoning'> | undefined {
    return readQualitativeSignal('reasoning', params, run);
  }
}

/** Gives how engaged the respondent feels, and the trajectory over the last answers. */
export class EmotionalSignal implements Signal<ReadingParams, QualitativeSignal<'emotional'> | undefined> {
  static readonly meta = defineSignal({
    summary: 'How engaged the respondent feels, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): QualitativeSignal<'emotional'> | undefined {
    return readQualitativeSignal('emotional', params, run);
  }
}

/** Gives whether the respondent contradicts an earlier statement, and both statements. */
export class ContradictionSignal implements Signal<ReadingParams, QualitativeSignal<'contradiction'> | undefined> {
  static readonly meta = defineSignal({
    summary: 'Whether the respondent contradicts what they said before, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): QualitativeSignal<'contradiction'> | undefined {
    return readQualitativeSignal('contradiction', params, run);
  }
}

/**
 * Gives whether a "don't know" is the end of a topic (`is_terminal`) or a beginning: curious respondents may be asked
 * on.
 */
export class KnowledgeCeilingSignal
  implements Signal<ReadingParams, QualitativeSignal<'knowledge_ceiling'> | undefined>
{
  static readonly meta = defineSignal({
    summary: 'Whether a "don’t know" ends the topic, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): QualitativeSignal<'knowledge_ceiling'> | undefined {
    return readQualitativeSignal('knowledge_ceiling', params, run);
  }
}

/**
 * Gives how abstract the talk has become: `abstraction_level` is 0 where it is concrete, and 1 where it is abstract.
 */
export class ConceptDepthSignal implements Signal<ReadingParams, QualitativeSignal<'concept_depth'> | undefined> {
  static readonly meta = defineSignal({
    summary: 'How abstract the talk has become, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): QualitativeSignal<'concept_depth'> | undefined {
    return readQualitativeSignal('concept_depth', params, run);
  }
}
