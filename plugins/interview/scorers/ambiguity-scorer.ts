import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { type Fields, numberAt, textAt } from '../turn/field-readers.js';
import { historyOf, lastOf } from '../turn/history.js';
import { readMove } from '../turn/interview-move.js';
import { fractionParam, lookbackParam, phrasesParam, useSignalsParam } from '../turn/params.js';
import { findNode, recentNodesOf } from '../turn/recent-nodes.js';
import { languageModelSignal } from '../turn/signals.js';
import { phrasesIn } from '../turn/text.js';

/** The confidence in a node that states none. */
const DEFAULT_CONFIDENCE = 0.7;
const [CLEAR, RESTING, UNCLEAR] = [0.9, 1.2, 1.5];
/** The number of hedges from which on a topic is unclear, whatever the confidence. */
const UNCLEAR_HEDGES = 2;

/** The scores of strategies under one kind of uncertainty. */
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

type Params = ParamsOf<typeof AmbiguityScorer>;

/**
 * Favours unclear topics: a node of low confidence, answers with many hedges. A language model's signal of the
 * uncertainty, where there is one, decides instead which strategies help with it.
 */
export class AmbiguityScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what is still unclear; rests at 1.2.',
    params: z.strictObject({
      high_clarity_threshold: fractionParam(0.8, 'Surer than this, and without a hedge, is clear.'),
      low_clarity_threshold: fractionParam(0.5, 'Less sure than this is unclear.'),
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
        'Phrases of a respondent who is not sure.',
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

  prepare(params: Params, run: Run): Score<unknown> {
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

function byRules(params: Params, { context }: Run): Score<unknown> {
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
