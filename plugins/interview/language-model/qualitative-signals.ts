import { z } from '../../../src/sdk.js';
import {
  choiceField,
  confidenceField,
  flagField,
  fractionField,
  quotationsField,
  reasoningField,
  textField,
  withDefault,
} from './schema-fields.js';

const uncertainty = z
  .object({
    uncertainty_type: choiceField('of what kind', {
      knowledge_gap: 'they lack a fact or an experience',
      conceptual_clarity: 'they do not understand the question or its words',
      confidence_qualification: 'they hedge what they say',
      epistemic_humility: 'they see the limits of what anybody could know',
      apathy: 'they do not care',
    }),
    confidence: confidenceField(),
    severity: fractionField('how much it keeps them from answering', 0.5),
    examples: quotationsField('where it shows'),
    reasoning: reasoningField(),
  })
  .describe('the respondent is unsure of something');

const reasoning = z
  .object({
    reasoning_quality: choiceField('of what kind', {
      causal: 'from causes to effects',
      counterfactual: 'what would be otherwise',
      associative: 'from one thing to the next',
      reactive: 'a bare reaction',
      metacognitive: 'about their own thinking',
    }),
    confidence: confidenceField(),
    depth_score: fractionField('how far it goes, a bare reaction being 0', 0.5),
    has_examples: flagField('they give examples'),
    has_abstractions: flagField('they generalise'),
    examples: quotationsField('where it shows'),
    reasoning: reasoningField(),
  })
  .describe('how the respondent reasons');

const emotional = z
  .object({
    intensity: choiceField('how strong, and which way', {
      high_positive: '',
      moderate_positive: '',
      neutral: '',
      moderate_negative: '',
      high_negative: '',
    }),
    confidence: confidenceField(),
    trajectory: withDefault(
      choiceField('where it goes', { rising: '', falling: '', stable: '', volatile: 'up and down' }),
      'stable',
    ),
    markers: quotationsField('where it shows'),
    reasoning: reasoningField(),
  })
  .describe('how engaged the respondent feels');

const CONTRADICTION_TYPES = ['stance_reversal', 'inconsistent_detail', 'context_shift'];

/** Both spellings: models that are not constrained to the schema write spaces, too. */
const contradictionType = z
  .enum([...CONTRADICTION_TYPES, ...CONTRADICTION_TYPES.map((kind) => kind.replace('_', ' '))], {
    error: `one of ${CONTRADICTION_TYPES.join(', ')}, or null`,
  })
  .nullable()
  .describe(`of what kind: ${CONTRADICTION_TYPES.join(', ')}, or null`);

const contradiction = z
  .object({
    has_contradiction: flagField('an answer contradicts an earlier one'),
    contradiction_type: withDefault(contradictionType, null),
    earlier_statement: textField('what they said first'),
    current_statement: textField('what they say now'),
    confidence: confidenceField(),
    reasoning: reasoningField(),
  })
  .describe('the respondent contradicts what they said before');

const knowledgeCeiling = z
  .object({
    is_terminal: flagField('there is nothing more to learn from them on this topic'),
    response_type: withDefault(
      choiceField('what their not knowing is', {
        terminal: 'the end of the topic',
        exploratory: 'they would like to find out',
        transitional: 'they move on to something else',
        unknown: '',
      }),
      'unknown',
    ),
    has_curiosity: flagField('they would like to know'),
    redirection_available: flagField('they offer another topic'),
    confidence: confidenceField(),
    reasoning: reasoningField(),
  })
  .describe('the respondent says that they do not know');

const conceptDepth = z
  .object({
    abstraction_level: fractionField('from concrete to abstract', 0.5),
    has_concrete_examples: flagField('they name things that happened'),
    has_abstract_principles: flagField('they name principles or values'),
    suggestion: withDefault(choiceField('what to do next', { deepen: '', broaden: '', stay: '' }), 'stay'),
    confidence: confidenceField(),
    reasoning: reasoningField(),
  })
  .describe('how abstract the talk has become');

/** The schemas of the qualitative signals, by name. A model's answer has each under its name with `_signal`. */
export const QUALITATIVE_SIGNALS = {
  uncertainty,
  reasoning,
  emotional,
  contradiction,
  knowledge_ceiling: knowledgeCeiling,
  concept_depth: conceptDepth,
};

export type QualitativeSignalName = keyof typeof QUALITATIVE_SIGNALS;

export const QUALITATIVE_SIGNAL_NAMES = Object.keys(QUALITATIVE_SIGNALS) as [
  QualitativeSignalName,
  ...QualitativeSignalName[],
];

/** The value of one qualitative signal. */
export type QualitativeSignal<K extends QualitativeSignalName> = z.output<(typeof QUALITATIVE_SIGNALS)[K]>;

/**
 * All qualitative signals: null where the conversation shows nothing of one, or the model's answer for it was
 * malformed.
 */
export type QualitativeSignals = { readonly [K in QualitativeSignalName]: QualitativeSignal<K> | null };

/** The problems of a model's answer, by signal. */
export type QualitativeSignalErrors = Readonly<Partial<Record<QualitativeSignalName, string>>>;

/** The answer of a language model about a conversation. */
export interface Reading extends QualitativeSignals {
  readonly errors: QualitativeSignalErrors;
  /** The name of the model. */
  readonly model: string;
  /** The number of tokens that the question and the answer took. */
  readonly tokens: number;
}

const SENTIMENT: ReadonlyMap<string, number> = new Map([
  ['high_positive', 1],
  ['moderate_positive', 0.5],
  ['neutral', 0],
  ['moderate_negative', -0.5],
  ['high_negative', -1],
]);

/** The intensity of an emotional signal as a number from −1 to 1; null for an unknown word. */
export const sentimentOf = (intensity: string): number | null => SENTIMENT.get(intensity) ?? null;
