import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { textAt } from '../turn/field-readers.js';
import { answersOf, historyOf, lastOf } from '../turn/history.js';
import { isDepth, readMove } from '../turn/interview-move.js';
import { lookbackParam, phrasesParam, useSignalsParam } from '../turn/params.js';
import { languageModelSignal } from '../turn/signals.js';
import { phrasesIn, wordsOf } from '../turn/text.js';

const [PER_WORD, PER_ELABORATION, PER_ENTHUSIASM] = [5, 20, 15];
/** The mean momentum before the first answer. */
const DEFAULT_MOMENTUM = 50;
/** The number of latest answers that count, and the number of low ones among them at which engagement is low. */
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

type Params = ParamsOf<typeof EngagementScorer>;

/**
 * Disfavours depth while the answers have little momentum, and favours it while they have much. A language model's
 * signal of the reasoning, where there is one, decides instead.
 */
export class EngagementScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Goes deeper with a respondent in full swing, and elsewhere with a tired one; rests at 1.',
    params: z.strictObject({
      low_momentum_threshold: z.number().default(30).describe('An answer below this has lost momentum.'),
      high_momentum_threshold: z.number().default(70).describe('A mean above this is full swing.'),
      elaboration_markers: phrasesParam(
        ['because', 'since', 'for example', 'specifically', 'such as', 'meaning'],
        'Phrases of a respondent who explains.',
      ),
      enthusiasm_markers: phrasesParam(
        ['!', 'really', 'absolutely', 'love', 'great', 'perfect', 'excited'],
        'Phrases of a respondent who is enthusiastic.',
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

  prepare(params: Params, run: Run): Score<unknown> {
    const { level, reason, data } = levelBySignal(params, run) ?? levelByRules(params, run);
    return (candidate, _index, note) => {
      const move = readMove(candidate);
      note?.(reason, data);
      if (level === 'low') return isDepth(move) ? 0.8 : 1.2;
      return level === 'high' && move.category === 'depth' ? 1.1 : 1;
    };
  }
}

/** The level, and the reason with its data. */
interface EngagementEvidence {
  readonly level: EngagementLevel;
  readonly reason: 'read' | 'momentum';
  readonly data: Readonly<Record<string, unknown>>;
}

function levelBySignal(params: Params, { signals }: Run): EngagementEvidence | undefined {
  const signal = languageModelSignal(signals, 'reasoning', params);
  const quality = textAt(signal, 'reasoning_quality', 'signals.reasoning') ?? '';
  const level = Object.hasOwn(BY_REASONING, quality) ? BY_REASONING[quality] : undefined;
  return level && { level, reason: 'read', data: { quality, level } };
}

function levelByRules(params: Params, { context }: Run): EngagementEvidence {
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
