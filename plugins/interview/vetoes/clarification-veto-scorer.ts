import { type BatchVeto, defineVeto, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { numberAt, textAt } from '../turn/field-readers.js';
import { answersOf, historyOf, lastOf } from '../turn/history.js';
import { readMove } from '../turn/interview-move.js';
import {
  exemptStrategiesParam,
  fractionParam,
  lookbackParam,
  phrasesParam,
  strategyIdsParam,
  useSignalsParam,
  vetoedStrategies,
} from '../turn/params.js';
import { languageModelSignal } from '../turn/signals.js';

/** The reason why the respondent counts as confused, with its data. */
type Confusion = readonly [reason: 'read' | 'said', data: Readonly<Record<string, unknown>>];

type Params = ParamsOf<typeof ClarificationVetoScorer>;

/** Refuses strategies that go on while the respondent does not understand the question. */
export class ClarificationVetoScorer implements BatchVeto<Params> {
  static readonly meta = defineVeto({
    summary: 'Refuses to go on while the respondent does not understand the question.',
    params: z.strictObject({
      severity_threshold: fractionParam(0.3, 'A reading of unclear concepts has to be more severe than this.'),
      confusion_patterns: phrasesParam(
        [
          "don't understand",
          'do not understand',
          'what do you mean',
          "don't get it",
          'do not get it',
          'confused',
          "don't follow",
          'do not follow',
          'not clear',
          "isn't clear",
          'unclear',
          "doesn't make sense",
        ],
        'What an answer contains that says so.',
      ),
      lookback_window: lookbackParam(3),
      vetoed_strategies: strategyIdsParam(['deepen', 'broaden', 'bridge'], 'What is refused then.'),
      use_llm_signals: useSignalsParam,
      exempt_strategies: exemptStrategiesParam,
    }),
    scope: 'candidate',
    reasons: {
      read: 'the question is unclear to the respondent (severity {severity})',
      said: 'the respondent said "{pattern}"',
      understood: 'the respondent seems to understand',
      other_strategy: '{strategy} does not go on',
    },
  });

  prepare(params: Params, run: Run): Score<unknown, boolean> {
    const vetoed = vetoedStrategies(params);
    const confusion = confusionIn(params, run);
    return (candidate, _index, note) => {
      const { strategy } = readMove(candidate);
      const goesOn = vetoed.has(strategy);
      if (!goesOn) note?.('other_strategy', { strategy });
      else if (confusion) note?.(...confusion);
      else note?.('understood');
      return goesOn && confusion !== undefined;
    };
  }
}

/** Finds the confusion of the respondent: by the language model's signal where there is one, else by phrases. */
function confusionIn(params: Params, { context, signals }: Run): Confusion | undefined {
  const where = 'signals.uncertainty';
  const signal = languageModelSignal(signals, 'uncertainty', params);
  if (signal !== undefined) {
    const severity = numberAt(signal, 'severity', where) ?? 0.5;
    const isUnclear = textAt(signal, 'uncertainty_type', where) === 'conceptual_clarity';
    return isUnclear && severity > params.severity_threshold ? ['read', { severity }] : undefined;
  }
  const answers = answersOf(lastOf(historyOf(context), params.lookback_window));
  const pattern = params.confusion_patterns.find((one) => answers.some(({ lower }) => lower.includes(one)));
  return pattern === undefined ? undefined : ['said', { pattern }];
}
