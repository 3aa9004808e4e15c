import { AssizeError, defineSignal, describeValue, type RunFacts, type Signal, z } from '../../src/unit-sdk.js';

/*
 * The kinds of fields of qualitative signals. Each has a description, which the model gets, the expected value for
 * error messages, and a default.
 */

/** A number from 0 to 1. */
const fractionField = (what: string, or: number) => {
  const error = 'a number from 0 to 1';
  return z.number({ error }).min(0, { error }).max(1, { error }).default(or).describe(`${what}, from 0 to 1`);
};

/** A yes or no. */
const flagField = (what: string) => z.boolean({ error: 'true or false' }).default(false).describe(`whether ${what}`);

/** A short text. */
const textField = (what: string) => z.string({ error: 'a text' }).default('').describe(what);

/** Short quotations. */
const quotationsField = (what: string) => {
  const error = 'a list of texts';
  return z
    .array(z.string({ error: 'a text' }), { error })
    .default([])
    .describe(`${what}: at most three short quotations`);
};

/** One of a few words, each with its meaning for the model, or '' if the word is clear. */
const choiceField = <W extends string>(what: string, words: Readonly<Record<W, string>>) => {
  const names = Object.keys(words) as W[];
  const meanings = names.map((name) => (words[name] === '' ? name : `${name} (${words[name]})`));
  return z.enum(names, { error: `one of ${names.join(', ')}` }).describe(`${what}: ${meanings.join(', ')}`);
};

/** Makes a field optional and keeps its description. */
const withDefault = <S extends z.ZodType>(field: S, value: z.util.NoUndefined<z.output<S>>) =>
  field.default(value).describe(field.description ?? '');

const confidenceField = () => fractionField('how sure you are', 0.7);
const reasoningField = () => textField('why, in one short sentence');

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

/** Both spellings, since models that are not constrained to the schema also write spaces. */
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

/** The schemas of the qualitative signals, by name. A model's answer contains each under its name with `_signal`. */
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
 * All qualitative signals. A signal is null if the conversation shows nothing of it, or if the model's answer for it
 * was malformed.
 */
export type QualitativeSignals = { readonly [K in QualitativeSignalName]: QualitativeSignal<K> | null };

/** The answer of a language model about a conversation. */
export interface Reading extends QualitativeSignals {
  /** The problems of the answer, by signal. */
  readonly errors: Readonly<Partial<Record<QualitativeSignalName, string>>>;
  /** The name of the model. */
  readonly model: string;
  /** The number of tokens of the question and the answer. */
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

/** The params of a signal that is a part of a reading. */
const readingParams = z.strictObject({
  from: z
    .string()
    .min(1)
    .default('reading')
    .describe('The id of the ConversationReading, which must precede this signal.'),
});

type ReadingParams = z.output<typeof readingParams>;

/**
 * Reads one signal of a reading. Undefined if there is no reading (it is switched off, or failed and reported that
 * itself), or if the conversation shows nothing of this signal.
 *
 * @throws AssizeError ASZ528 if the model's answer for it was malformed
 */
function readQualitativeSignal<K extends QualitativeSignalName>(
  name: K,
  { from }: ReadingParams,
  { signals }: RunFacts,
): NonNullable<QualitativeSignals[K]> | undefined {
  const reading = signals[from];
  if (reading === undefined) return undefined;
  if (!isReading(reading)) {
    throw signalError(`the signal ${from} is ${describeValue(reading)}; expected the result of a ConversationReading`);
  }
  const error = reading.errors[name];
  if (error !== undefined) throw signalError(`the answer of ${reading.model} is wrong here: ${error}`);
  return reading[name] ?? undefined;
}

const signalError = (message: string): AssizeError => new AssizeError([{ code: 'ASZ528', message }]);

const isReading = (value: unknown): value is Reading =>
  typeof value === 'object' && value !== null && 'errors' in value && 'model' in value;

/** Creates the unit of one qualitative signal, which reads its part of the answer of a `ConversationReading`. */
const signalUnit = <K extends QualitativeSignalName>(name: K, summary: string) =>
  class implements Signal<ReadingParams, NonNullable<QualitativeSignals[K]> | undefined> {
    static readonly meta = defineSignal({ summary, params: readingParams });

    prepare(params: ReadingParams, run: RunFacts): NonNullable<QualitativeSignals[K]> | undefined {
      return readQualitativeSignal(name, params, run);
    }
  };

/** Returns what the respondent is unsure of, and why. `severity` and the model's `confidence` are 0 to 1. */
export class UncertaintySignal extends signalUnit(
  'uncertainty',
  'What the respondent is unsure of, according to a language model.',
) {}

/** Returns how the respondent reasons. `depth_score` is 0 (a bare reaction) to 1. */
export class ReasoningSignal extends signalUnit(
  'reasoning',
  'How the respondent reasons, according to a language model.',
) {}

/** Returns how engaged the respondent feels, and the trajectory over the last answers. */
export class EmotionalSignal extends signalUnit(
  'emotional',
  'How engaged the respondent feels, according to a language model.',
) {}

/** Returns whether the respondent contradicts an earlier statement, and both statements. */
export class ContradictionSignal extends signalUnit(
  'contradiction',
  'Whether the respondent contradicts an earlier statement, according to a language model.',
) {}

/**
 * Returns whether a "don't know" ends a topic (`is_terminal`). If not, curious respondents may get further questions.
 */
export class KnowledgeCeilingSignal extends signalUnit(
  'knowledge_ceiling',
  'Whether a "don’t know" ends the topic, according to a language model.',
) {}

/** Returns how abstract the conversation is: `abstraction_level` is 0 for concrete and 1 for abstract. */
export class ConceptDepthSignal extends signalUnit(
  'concept_depth',
  'How abstract the conversation is, according to a language model.',
) {}
