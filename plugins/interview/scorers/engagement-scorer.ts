import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { textAt } from '../turn/field-readers.js';
import { answersOf, historyOf, lastOf } from '../turn/history.js';
import { isDepth, readMove } from '../turn/interview-move.js';
import { languageModelSignal } from '../turn/language-model-signal.js';
import { lookbackParam, phrasesParam, useSignalsParam } from '../turn/params.js';
import { phrasesIn, wordsOf } from '../turn/text.js';

const [PER_WORD, PER_ELABORATION, PER_ENTHUSIASM] = [5, 20, 15];
/** Where nobody has answered yet. */
const DEFAULT_MOMENTUM = 50;
/** How many answers are looked at, and how many of them without momentum are too many. */
const [ANSWERS, MANY_LOW] = [5, 3];

type EngagementLevel = 'low' | 'even' | 'high';

/** What the reasoning of the answers tells of the engagement behind it. */
const BY_REASONING: Readonly<Record<string, EngagementLevel>> = {
  causal: 'high',
  counterfactual: 'high',
  metacognitive: 'high',
  associative: 'even',
  reactive: 'low',
};

type Params = ParamsOf<typeof EngagementScorer>;

/**
 * Spares a respondent whose answers have lost momentum from going deeper, and goes deeper with one in full swing. A
 * language model's reading of the reasoning, where there is one, says which it is.
 */
export class EngagementScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Goes deeper with a respondent in full swing, and elsewhere with a tired one; rests at 1.',
    params: z.strictObject({
      low_momentum_threshold: z.number().default(30).describe('An answer below this has lost momentum.'),
      high_momentum_threshold: z.number().default(70).describe('A mean above this is full swing.'),
      elaboration_markers: phrasesParam(
        ['because', 'since', 'for example', 'specifically', 'such as', 'meaning'],
        'What somebody says who explains.',
      ),
      enthusiasm_markers: phrasesParam(
        ['!', 'really', 'absolutely', 'love', 'great', 'perfect', 'excited'],
        'What somebody says who is taken with it.',
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
    const { level, reason, data } = levelByReading(params, run) ?? levelByRules(params, run);
    return (candidate, _index, note) => {
      const move = readMove(candidate);
      note?.(reason, data);
      if (level === 'low') return isDepth(move) ? 0.8 : 1.2;
      return level === 'high' && move.category === 'depth' ? 1.1 : 1;
    };
  }
}

/** The level, and how a reason says why. */
interface EngagementEvidence {
  readonly level: EngagementLevel;
  readonly reason: 'read' | 'momentum';
  readonly data: Readonly<Record<string, unknown>>;
}

function levelByReading(params: Params, { signals }: Run): EngagementEvidence | undefined {
  const reading = languageModelSignal(signals, 'reasoning', params);
  const quality = textAt(reading, 'reasoning_quality', 'signals.reasoning') ?? '';
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
