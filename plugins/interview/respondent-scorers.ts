import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/unit-sdk.js';
import { findNode, recentNodesOf } from './concepts.js';
import { type Fields, isDepth, languageModelSignal, numberAt, readMove, textAt } from './fields.js';
import { answersOf, historyOf, lastOf, phrasesIn, wordsOf } from './history.js';
import { fractionParam, lookbackParam, phrasesParam, useSignalsParam } from './params.js';

/** The confidence of a node that does not state one. */
const DEFAULT_CONFIDENCE = 0.7;
const [CLEAR, RESTING, UNCLEAR] = [0.9, 1.2, 1.5];
/** The number of hedges from which a topic is unclear, at any confidence. */
const UNCLEAR_HEDGES = 2;

/** The scores of strategies for one kind of uncertainty. */
interface StrategyScores {
  readonly by: Readonly<Record<string, number>>;
  readonly other: number;
}

const BY_UNCERTAINTY: Readonly<Record<string, StrategyScores>> = {
  knowledge_gap: {
    by: { clarify: 1.8, ease: 1.3, synthesis: 1.3, reflection: 1, deepen: 0.5, broaden: 0.5, bridge: 0.5 },
    other: 1,
  },
  conceptual_clarity: {
    by: { clarify: 1.8, ease: 1.3, synthesis: 1.3, reflection: 1.3, deepen: 0.4, broaden: 0.4, bridge: 0.4 },
    other: 0.9,
  },
  apathy: { by: { clarify: 1.2, ease: 1.6, deepen: 0.5 }, other: 0.9 },
  epistemic_humility: { by: { clarify: 1.3, deepen: 1.3 }, other: 1.1 },
};

type AmbiguityParams = ParamsOf<typeof AmbiguityScorer>;

/**
 * Favours unclear topics: a node of low confidence, or answers with many hedges. A language model's signal of the
 * uncertainty takes precedence: it decides which strategies help.
 */
export class AmbiguityScorer implements BatchScorer<AmbiguityParams> {
  static readonly meta = defineScorer({
    summary: 'Favours topics that are still unclear; 1.2 otherwise.',
    params: z.strictObject({
      high_clarity_threshold: fractionParam(0.8, 'A topic with a confidence above this and without hedges is clear.'),
      low_clarity_threshold: fractionParam(0.5, 'A topic with a confidence below this is unclear.'),
      hedge_words: phrasesParam(
        [
          'maybe',
          'perhaps',
          'possibly',
          'sort of',
          'kind of',
          'i think',
          'i guess',
          'probably',
          'not sure',
          'uncertain',
        ],
        'Phrases of an unsure respondent.',
      ),
      lookback_window: lookbackParam(3),
      use_llm_signals: useSignalsParam,
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: {
      read: '{uncertainty}, by its severity of {severity}',
      read_for: '{uncertainty}: what {strategy} is worth then',
      rules: 'confidence {confidence}, {hedges} hedges',
    },
  });

  prepare(params: AmbiguityParams, run: Run): Score<unknown> {
    const signal = languageModelSignal(run.signals, 'uncertainty', params);
    return signal === undefined ? byRules(params, run) : bySignal(signal);
  }
}

function bySignal(signal: Fields): Score<unknown> {
  const where = 'signals.uncertainty';
  const uncertainty = textAt(signal, 'uncertainty_type', where) ?? '';
  const severity = numberAt(signal, 'severity', where) ?? 0.5;
  const scores = Object.hasOwn(BY_UNCERTAINTY, uncertainty) ? BY_UNCERTAINTY[uncertainty] : undefined;
  return (candidate, _index, note) => {
    const { strategy } = readMove(candidate);
    if (scores === undefined) {
      note?.('read', { uncertainty, severity });
      return 1.1 + 0.2 * severity;
    }
    note?.('read_for', { uncertainty, strategy });
    return (Object.hasOwn(scores.by, strategy) ? scores.by[strategy] : undefined) ?? scores.other;
  };
}

function byRules(params: AmbiguityParams, { context }: Run): Score<unknown> {
  const { hedge_words: hedgeWords, high_clarity_threshold: high, low_clarity_threshold: low } = params;
  const nodes = recentNodesOf(context);
  const utterances = lastOf(historyOf(context), params.lookback_window);
  const hedgesInHistory = utterances.reduce((sum, { lower }) => sum + phrasesIn(lower, hedgeWords).length, 0);
  return (candidate, _index, note) => {
    const node = findNode(nodes, readMove(candidate).node);
    const confidence = node?.confidence ?? DEFAULT_CONFIDENCE;
    const hedges = hedgesInHistory + phrasesIn((node?.label ?? '').toLowerCase(), hedgeWords).length;
    note?.('rules', { confidence, hedges });
    if (confidence > high && hedges === 0) return CLEAR;
    return confidence < low || hedges >= UNCLEAR_HEDGES ? UNCLEAR : RESTING;
  };
}

const [PER_WORD, PER_ELABORATION, PER_ENTHUSIASM] = [5, 20, 15];
/** The mean momentum before the first answer. */
const DEFAULT_MOMENTUM = 50;
/** The number of latest answers to consider, and the number of low ones among them that means low engagement. */
const [ANSWERS, MANY_LOW] = [5, 3];

type EngagementLevel = 'low' | 'even' | 'high';

/** The engagement by the quality of the answers' reasoning. */
const BY_REASONING: Readonly<Record<string, EngagementLevel>> = {
  causal: 'high',
  counterfactual: 'high',
  metacognitive: 'high',
  associative: 'even',
  reactive: 'low',
};

type EngagementParams = ParamsOf<typeof EngagementScorer>;

/**
 * Disfavours depth while the answers have little momentum, and favours it while they have much. A language model's
 * signal of the reasoning takes precedence.
 */
export class EngagementScorer implements BatchScorer<EngagementParams> {
  static readonly meta = defineScorer({
    summary: 'Favours depth with an engaged respondent, and other moves with a tired one; 1 otherwise.',
    params: z.strictObject({
      low_momentum_threshold: z.number().default(30).describe('An answer below this has low momentum.'),
      high_momentum_threshold: z.number().default(70).describe('A mean above this is high engagement.'),
      elaboration_markers: phrasesParam(
        ['because', 'since', 'for example', 'specifically', 'such as', 'meaning'],
        'Phrases of a respondent who explains.',
      ),
      enthusiasm_markers: phrasesParam(
        ['!', 'really', 'absolutely', 'love', 'great', 'perfect', 'excited'],
        'Phrases of an enthusiastic respondent.',
      ),
      lookback_window: lookbackParam(10),
      use_llm_signals: useSignalsParam,
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: {
      read: 'the reasoning is {quality}: engagement is {level}',
      momentum: 'momentum {mean} on average, {low} low answers: engagement is {level}',
    },
  });

  prepare(params: EngagementParams, run: Run): Score<unknown> {
    const { level, reason, data } = levelBySignal(params, run) ?? levelByRules(params, run);
    return (candidate, _index, note) => {
      const move = readMove(candidate);
      note?.(reason, data);
      if (level === 'low') return isDepth(move) ? 0.8 : 1.2;
      return level === 'high' && move.category === 'depth' ? 1.1 : 1;
    };
  }
}

interface EngagementEvidence {
  readonly level: EngagementLevel;
  readonly reason: 'read' | 'momentum';
  readonly data: Readonly<Record<string, unknown>>;
}

function levelBySignal(params: EngagementParams, { signals }: Run): EngagementEvidence | undefined {
  const signal = languageModelSignal(signals, 'reasoning', params);
  const quality = textAt(signal, 'reasoning_quality', 'signals.reasoning') ?? '';
  const level = Object.hasOwn(BY_REASONING, quality) ? BY_REASONING[quality] : undefined;
  return level && { level, reason: 'read', data: { quality, level } };
}

function levelByRules(params: EngagementParams, { context }: Run): EngagementEvidence {
  const { elaboration_markers: elaboration, enthusiasm_markers: enthusiasm } = params;
  const answers = answersOf(lastOf(historyOf(context), params.lookback_window)).slice(-ANSWERS);
  const momenta = answers.map(
    ({ lower }) =>
      PER_WORD * wordsOf(lower).length +
      PER_ELABORATION * phrasesIn(lower, elaboration).length +
      PER_ENTHUSIASM * phrasesIn(lower, enthusiasm).length,
  );
  const low = momenta.filter((momentum) => momentum < params.low_momentum_threshold).length;
  const mean = momenta.length === 0 ? DEFAULT_MOMENTUM : momenta.reduce((sum, one) => sum + one, 0) / momenta.length;
  const level = low >= MANY_LOW ? 'low' : mean > params.high_momentum_threshold ? 'high' : 'even';
  return { level, reason: 'momentum', data: { mean, low, level } };
}
