import { type BatchVeto, defineVeto, type ParamsOf, type Run, type Score, z } from '../../src/unit-sdk.js';
import {
  counterOf,
  elementPhrase,
  flagAt,
  type InterviewMove,
  isDepth,
  languageModelSignal,
  numberAt,
  readMove,
  textAt,
  unlessExempt,
} from './fields.js';
import {
  answersOf,
  containsAny,
  EXHAUSTION_PHRASES,
  historyOf,
  isContentWord,
  lastOf,
  streakOf,
  wordsOf,
} from './history.js';
import {
  exemptStrategiesParam,
  fractionParam,
  ignoredParam,
  lookbackParam,
  phrasesParam,
  strategyIdsParam,
  useSignalsParam,
  vetoedStrategies,
} from './params.js';

/** The reason why the respondent counts as confused, with its data. */
type Confusion = readonly [reason: 'read' | 'said', data: Readonly<Record<string, unknown>>];

type ClarificationVetoParams = ParamsOf<typeof ClarificationVetoScorer>;

/** Refuses strategies that continue while the respondent does not understand the question. */
export class ClarificationVetoScorer implements BatchVeto<ClarificationVetoParams> {
  static readonly meta = defineVeto({
    summary: 'Refuses to continue while the respondent does not understand the question.',
    params: z.strictObject({
      severity_threshold: fractionParam(0.3, 'A reading of unclear concepts must be more severe than this.'),
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
        'Phrases of such an answer.',
      ),
      lookback_window: lookbackParam(3),
      vetoed_strategies: strategyIdsParam(['deepen', 'broaden', 'bridge'], 'The strategies that are refused.'),
      use_llm_signals: useSignalsParam,
      exempt_strategies: exemptStrategiesParam,
    }),
    scope: 'candidate',
    reasons: {
      read: 'the question is unclear to the respondent (severity {severity})',
      said: 'the respondent said "{pattern}"',
      understood: 'the respondent seems to understand',
      other_strategy: '{strategy} does not continue the topic',
    },
  });

  prepare(params: ClarificationVetoParams, run: Run): Score<unknown, boolean> {
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

/** Detects confusion: by the language model's signal if there is one, otherwise by phrases. */
function confusionIn(params: ClarificationVetoParams, { context, signals }: Run): Confusion | undefined {
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

/** Words in the descriptions of strategies, which do not belong to a topic. */
const STOP_WORDS: ReadonlySet<string> = new Set(['deepen', 'cover', 'explore', 'understanding']);
const MAX_TERMS = 5;

/** The terms that identify the topic of a move in an answer. */
function topicTerms({ description, element }: InterviewMove): readonly string[] {
  const words = wordsOf(description.toLowerCase()).filter((word) => isContentWord(word) && !STOP_WORDS.has(word));
  const terms = words.slice(0, MAX_TERMS);
  if (element !== undefined && isContentWord(elementPhrase(element))) terms.push(elementPhrase(element));
  return [...new Set(terms)];
}

type KnowledgeCeilingParams = ParamsOf<typeof KnowledgeCeilingScorer>;

/**
 * Refuses topics beyond the respondent's knowledge: those in an answer with a phrase such as "don't know". A language
 * model's signal takes precedence. It decides whether the last answer ends the topic ("I don't care") or not ("but I'd
 * like to"). An end refuses to go deeper, and several ends in a row refuse to continue at all.
 */
export class KnowledgeCeilingScorer implements BatchVeto<KnowledgeCeilingParams> {
  static readonly meta = defineVeto({
    summary: 'Refuses topics that the respondent does not know about.',
    params: z.strictObject({
      negative_patterns: phrasesParam(
        [
          "don't know",
          'do not know',
          'no idea',
          'never heard',
          'not sure',
          'unfamiliar',
          'no experience',
          'never used',
          "haven't tried",
          "can't say",
          'not familiar',
        ],
        'Phrases of such an answer.',
      ),
      lookback_window: lookbackParam(5),
      require_topic_match: z
        .boolean()
        .default(true)
        .describe('Whether the same answer must name the topic. false: any such answer refuses every move.'),
      use_llm_signals: useSignalsParam,
      consecutive_terminal_threshold: z
        .int()
        .positive()
        .default(3)
        .describe('The number of ends in a row after which more than depth is refused.'),
      terminal_strategies: strategyIdsParam(
        ['deepen', 'broaden', 'cover_element'],
        'The strategies that are then refused, in addition to the category depth.',
      ),
      exempt_strategies: exemptStrategiesParam,
      min_confidence: ignoredParam,
    }),
    scope: 'candidate',
    reasons: {
      said: 'the respondent said "{pattern}" of "{term}"',
      said_at_all: 'the respondent said "{pattern}"',
      end: 'the last answer is an end, and this would go deeper',
      ends: '{count} answers in a row are ends, at least {threshold}',
      beginning: 'the last answer does not end the topic',
      end_elsewhere: 'the last answer is an end, and this would not go deeper',
      exempt: '{strategy} is never refused',
      nothing_said: 'no answer has such a phrase about this topic',
    },
  });

  prepare(params: KnowledgeCeilingParams, run: Run): Score<unknown, boolean> {
    return unlessExempt(params, this.bySignal(params, run) ?? this.byRules(params, run));
  }

  /** Decides by the language model's signal; undefined without one. */
  private bySignal(params: KnowledgeCeilingParams, run: Run): Score<InterviewMove, boolean> | undefined {
    const signal = languageModelSignal(run.signals, 'knowledge_ceiling', params);
    if (signal === undefined) return undefined;
    if (!flagAt(signal, 'is_terminal', 'signals.knowledge_ceiling')) {
      return (_move, _index, note) => {
        note?.('beginning');
        return false;
      };
    }
    const before = counterOf(run, 'terminal_streak', () =>
      streakOf(answersOf(historyOf(run.context)).slice(0, -1), ({ lower }) => containsAny(lower, EXHAUSTION_PHRASES)),
    );
    const [count, threshold] = [before + 1, params.consecutive_terminal_threshold];
    const terminal = new Set(count >= threshold ? params.terminal_strategies : []);
    return (move, _index, note) => {
      const deeper = isDepth(move);
      const refuses = deeper || terminal.has(move.strategy);
      if (count >= threshold && refuses) note?.('ends', { count, threshold });
      else note?.(deeper ? 'end' : 'end_elsewhere');
      return refuses;
    };
  }

  /** Decides by the phrases of the latest answers. */
  private byRules(params: KnowledgeCeilingParams, { context }: Run): Score<InterviewMove, boolean> {
    const { negative_patterns: patterns, require_topic_match: needsTopic } = params;
    const matches = answersOf(lastOf(historyOf(context), params.lookback_window)).flatMap(({ lower }) => {
      const pattern = patterns.find((one) => lower.includes(one));
      return pattern === undefined ? [] : [{ lower, pattern }];
    });
    return (move, _index, note) => {
      const [first] = matches;
      if (!needsTopic && first) {
        note?.('said_at_all', { pattern: first.pattern });
        return true;
      }
      for (const term of needsTopic ? topicTerms(move) : []) {
        const about = matches.find(({ lower }) => lower.includes(term));
        if (about === undefined) continue;
        note?.('said', { pattern: about.pattern, term });
        return true;
      }
      note?.('nothing_said');
      return false;
    };
  }
}
