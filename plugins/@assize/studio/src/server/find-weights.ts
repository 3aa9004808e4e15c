import { randomUUID } from 'node:crypto';
import type { Asked, Reply, LeftAlone, TuneOptions, Tuning } from '@assize/evaluate/tune';
import type { JudgedQuery } from '@assize/evaluate';
import type { AskedPair, FoundWeights, JudgedBy, TooFew, TuneProgress } from '../data/studio-data.js';
import type { ChosenPairs } from './compare-weights.js';
import { criteriaOf, FOR_EACH, tooFewGrades, tooFewPairs, tooFewText } from './enough-judgements.js';
import { isJudged, type StudioQuery } from './ranked-profile.js';
import type { PairAnswer } from './studio-judgements.js';
import type { StudioSession } from './studio-session.js';

/** A request that is impossible now. The message is the reason. */
export class NotNowError extends Error {
  override readonly name = 'NotNowError';
}

/** The reason of an abort by a user who wants the weights found so far. */
class EndedError extends Error {
  override readonly name = 'EndedError';
}

/** Finds weights for the profile in a session's file, as `tune` and `ask` do. The profile is not written. */
export class WeightFinder {
  /** Ends the running search. */
  #ending: AbortController | undefined;
  /** The pending questions, by id. */
  readonly #waiting = new Map<string, (reply: Reply) => void>();

  constructor(private readonly session: StudioSession) {}

  /**
   * Finds weights from the judgements of all queries, with the evidence of `assize tune`.
   *
   * @param by grades, or choices between two items
   * @param abort cancels the search; `endTuning` ends it and keeps the weights found so far
   * @throws NotNowError if there are no judgements, or another search is running; also throws the errors of `tuneWeights`
   */
  async tune(report: (step: TuneProgress) => void, abort: AbortSignal, by: JudgedBy = 'grades'): Promise<FoundWeights> {
    if (this.#ending) throw new NotNowError('a search is already running in another page');
    const ending = new AbortController();
    this.#ending = ending;
    try {
      const progress = ({ task, done, total }: TuneProgress): void => report({ task, done, total });
      const options = { signal: AbortSignal.any([abort, ending.signal]), progress, ...this.#options };
      return await (by === 'pairs' ? this.#byPairs(options) : this.#byGrades(options));
    } catch (error) {
      if (error instanceof EndedError) return { ...NOTHING_FOUND, by };
      throw error;
    } finally {
      this.#ending = undefined;
    }
  }

  async #byGrades(options: TuneOptions): Promise<FoundWeights> {
    const queries = (await this.session.judgements.judged()).filter(isJudged);
    if (queries.length === 0) throw new NotNowError('the candidates are not judged: tuning needs judgements');
    const few = tooFewGrades(queries, this.#criteria);
    if (few) return refused(few);
    const tune = await import('@assize/evaluate/tune');
    const tuning = await tune.tuneWeights(this.session.source.profile, queries, options);
    const [{ before, after, verdict }] = tuning.heldOut;
    const unseen = { measure: tuning.measure, before, after, isSure: verdict !== 'no difference shown' };
    return this.#withAgreement({ ...foundByTuning(tuning, 'grades', tune), unseen });
  }

  async #byPairs(options: TuneOptions): Promise<FoundWeights> {
    const chosen = await this.#chosenPairs();
    const few = tooFewPairs(countPairs(chosen.flatMap(({ answers }) => answers)), this.#criteria);
    if (few) return refused(few);
    const [first, ...others] = chosen;
    if (first && others.length === 0) return this.#byAnswers(first.number, first.answers, options);
    const tune = await import('@assize/evaluate/tune');
    const queries = chosen.flatMap(({ number, answers }) => pairQueries(this.session.query(number), answers));
    const pairOptions = { ...options, measure: 'Agreement', loss: 'pairs' } as const;
    const tuning = await tune.tuneWeights(this.session.source.profile, queries, pairOptions);
    return this.#withAgreement(await this.#withUnseen(foundByTuning(tuning, 'pairs', tune), tuning.change));
  }

  /** The weights that fit the answers about one query, without more questions. */
  async #byAnswers(query: number, earlier: readonly PairAnswer[], { signal }: TuneOptions): Promise<FoundWeights> {
    const { askWeights, askedText } = await import('@assize/evaluate/tune');
    const { candidates, context } = this.session.query(query);
    const asking = { earlier, ask: () => 'stop' as const, signal, ...this.#options };
    const asked = await askWeights(this.session.source.profile, candidates, context, asking);
    return this.#withAgreement(await this.#withUnseen(foundByAsking(asked, askedText(asked)), asked.change));
  }

  /** @returns whether a search was running; it ends with the best weights so far */
  endTuning(): boolean {
    this.#ending?.abort(new EndedError());
    return this.#ending !== undefined;
  }

  /**
   * Asks about pairs of a query's candidates until the answers decide the top or the page is closed. Each answer is written
   * at once.
   */
  async ask(query: number, report: (pair: AskedPair) => void, abort: AbortSignal): Promise<FoundWeights> {
    const { askWeights, askedText } = await import('@assize/evaluate/tune');
    const { candidates, context } = this.session.query(query);
    const { judgements } = this.session;
    const earlier = await judgements.answers(query);
    const needed = FOR_EACH.pairs * this.#criteria;
    const fewest = Math.max(needed, countPairs(earlier) + FEWEST_MORE);
    let question = '';
    let more = 0;
    const chosen = (): number => countPairs(earlier) + more;
    const stop = (): void => void this.answer(question, 'stop');
    abort.addEventListener('abort', stop);
    try {
      const asked = await askWeights(this.session.source.profile, candidates, context, {
        ask: async ({ indexes: [a, b], answered, agreement }) => {
          judgements.checkNames();
          question = randomUUID();
          report({ question, pair: [a, b], answered, agreement, chosen: chosen(), needed });
          const reply = await new Promise<Reply>((resolve) => void this.#waiting.set(question, resolve));
          if (reply === 'stop') return reply;
          await judgements.addAnswer(query, { a, b, choice: reply });
          if (reply !== 'same') more += 1;
          return reply;
        },
        earlier,
        fewest,
        questions: Math.max(MOST_QUESTIONS, 2 * (fewest - countPairs(earlier))),
        signal: abort,
        ...this.#options,
      });
      if (asked.answers.length === 0) return foundByAsking(asked, askedText(asked));
      const few = tooFewPairs(countPairs(asked.answers), this.#criteria);
      if (few) return refused(few);
      return await this.#withAgreement(await this.#withUnseen(foundByAsking(asked, askedText(asked)), asked.change));
    } finally {
      this.#waiting.delete(question);
      abort.removeEventListener('abort', stop);
    }
  }

  get #criteria(): number {
    return criteriaOf(this.session.document);
  }

  /** The queries with choices. */
  async #chosenPairs(): Promise<readonly (ChosenPairs & { readonly number: number })[]> {
    const { queries, judgements } = this.session;
    const chosen = [];
    for (const number of queries.keys()) {
      // oxlint-disable-next-line no-await-in-loop -- one query in memory
      const answers = await judgements.answers(number);
      // oxlint-disable-next-line no-await-in-loop -- one query in memory
      if (answers.length > 0) chosen.push({ number, answers, ranking: await this.session.ranking(number) });
    }
    return chosen;
  }

  async #withAgreement(found: FoundWeights): Promise<FoundWeights> {
    if (found.scorers.length === 0) return found;
    const { pairAgreement } = await import('./compare-weights.js');
    const weights = Object.fromEntries(found.scorers.map(({ id, weight }) => [id, weight]));
    const agreement = pairAgreement(await this.#chosenPairs(), weights);
    return { ...found, ...(agreement && { agreement }) };
  }

  /** Adds the quality by grades to weights from pairs. */
  async #withUnseen(found: FoundWeights, change: object): Promise<FoundWeights> {
    const { unseenQuality } = await import('./compare-weights.js');
    const { profile, trust = 'full' } = this.session.source;
    const judged = (await this.session.judgements.judged()).filter(isJudged);
    const unseen = await unseenQuality(profile, change, judged.filter(hasGrades), trust);
    return { ...found, ...(unseen && { unseen }) };
  }

  /** @returns whether the question was pending */
  answer(question: string, reply: Reply): boolean {
    const waiting = this.#waiting.get(question);
    this.#waiting.delete(question);
    waiting?.(reply);
    return waiting !== undefined;
  }

  get #options(): Pick<TuneOptions, 'pipeline'> {
    return { pipeline: { trust: this.session.source.trust ?? 'full' } };
  }
}

/** Each time that questions are asked, there are a few, also if earlier answers decide the top. */
const FEWEST_MORE = 5;
const MOST_QUESTIONS = 30;

const hasGrades = ({ grades }: JudgedQuery): boolean => grades.some((grade) => grade !== undefined);

const countPairs = (answers: readonly Pick<PairAnswer, 'choice'>[]): number =>
  answers.filter(({ choice }) => choice !== 'same').length;

/** A query of two candidates for each choice, as `assize tune --pairs` makes them. */
const pairQueries = ({ id, candidates, context }: StudioQuery, answers: readonly PairAnswer[]): JudgedQuery<object>[] =>
  answers
    .filter(({ choice }) => choice !== 'same')
    .map(({ a, b, choice }, k) => ({
      id: `${id} ${k}`,
      candidates: [candidates[a]!, candidates[b]!],
      grades: choice === 'a' ? [1, 0] : [0, 1],
      ...(context && { context }),
    }));

const refused = (few: TooFew): FoundWeights => ({
  by: few.by,
  tooFew: few,
  scorers: [],
  evidence: [tooFewText(few)],
  shown: false,
});

/** The result of a search that ended before it found weights. */
const NOTHING_FOUND: Omit<FoundWeights, 'by'> = {
  scorers: [],
  evidence: ['The search was stopped before it found any weights.'],
  shown: false,
};

/** The result of a search, with the evidence of `assize tune`. */
function foundByTuning(
  tuning: Tuning,
  by: JudgedBy,
  { heldOutText, learntFromText }: Pick<typeof import('@assize/evaluate/tune'), 'heldOutText' | 'learntFromText'>,
): FoundWeights {
  const { scorers, left, heldOut, shown, stopped } = tuning;
  return {
    by,
    scorers: scorers.map(({ id, before, weight }) => ({ id, before, weight })),
    evidence: [
      ...(stopped ? [UNFINISHED] : []),
      learntFromText(tuning),
      ...heldOut.flatMap(heldOutText),
      ...left.map(leftText),
    ],
    shown: shown && !stopped,
  };
}

const UNFINISHED =
  'Unfinished: the search was stopped, and these are the best weights so far. The held-out evaluation may be incomplete.';

/** The result of answers and its certainty. */
function foundByAsking(asked: Asked<object>, text: string): FoundWeights {
  const { scorers, left, top, answers, stable } = asked;
  if (answers.length === 0) {
    return {
      by: 'pairs',
      scorers: [],
      evidence: ['No question was answered: the weights are unchanged.'],
      shown: false,
    };
  }
  const against = answers.flatMap(({ contradicts }, k) => (contradicts ? [k + 1] : []));
  return {
    by: 'pairs',
    scorers: scorers.map(({ id, before, weight, likely }) => ({ id, before, weight, likely })),
    evidence: [
      ...(stable ? [] : [UNSURE]),
      text,
      `the top by them: ${top.map(({ id }) => id).join(', ')}`,
      ...left.map(leftText),
      ...(against.length > 0 ? [`the other answers contradict ${against.join(', ')}`] : []),
    ],
    shown: stable,
  };
}

const UNSURE =
  'A guess: the answers do not decide the top yet. The range beside each weight is its 90 % credible interval.';

const leftText = ({ id, because }: LeftAlone): string => `${id} is unchanged: ${because}`;
