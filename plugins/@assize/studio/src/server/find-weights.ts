import { randomUUID } from 'node:crypto';
import type { Asked, Reply, LeftAlone, TuneOptions, Tuning } from '@assize/evaluate/tune';
import type { AskedPair, FoundWeights, TuneProgress } from '../data/studio-data.js';
import { isJudged } from './ranked-profile.js';
import type { StudioSession } from './studio-session.js';

/** A request that is impossible now. The message is the reason. */
export class NotNowError extends Error {
  override readonly name = 'NotNowError';
}

/** The reason of an abort by a user who wants the weights found so far. */
class EndedError extends Error {
  override readonly name = 'EndedError';
}

/** Finds weights for the profile in a session's file, as `tune` and `ask` do. Nothing is written. */
export class WeightFinder {
  /** Ends the running search. */
  #ending: AbortController | undefined;
  /** The pending questions, by id. */
  readonly #waiting = new Map<string, (reply: Reply) => void>();

  constructor(private readonly session: StudioSession) {}

  /**
   * Finds weights from the judgements of all queries, with the evidence of `assize tune`.
   *
   * @param abort cancels the search; `endTuning` ends it and keeps the weights found so far
   * @throws NotNowError if there are no judgements, or another search is running; also throws the errors of `tuneWeights`
   */
  async tune(report: (step: TuneProgress) => void, abort: AbortSignal): Promise<FoundWeights> {
    const queries = this.session.queries.filter(isJudged);
    if (queries.length === 0) throw new NotNowError('the candidates are not judged: tuning needs judgements');
    if (this.#ending) throw new NotNowError('a search is already running in another page');
    const ending = new AbortController();
    this.#ending = ending;
    try {
      const tune = await import('@assize/evaluate/tune');
      const progress = ({ task, done, total }: TuneProgress): void => report({ task, done, total });
      const options = { signal: AbortSignal.any([abort, ending.signal]), progress, ...this.#options };
      return foundByTuning(await tune.tuneWeights(this.session.source.profile, queries, options), tune);
    } catch (error) {
      if (error instanceof EndedError) return NOTHING_FOUND;
      throw error;
    } finally {
      this.#ending = undefined;
    }
  }

  /** @returns whether a search was running; it ends with the best weights so far */
  endTuning(): boolean {
    this.#ending?.abort(new EndedError());
    return this.#ending !== undefined;
  }

  /** Asks about pairs of a query's candidates until the answers decide the top or the page is closed. */
  async ask(query: number, report: (pair: AskedPair) => void, abort: AbortSignal): Promise<FoundWeights> {
    const { askWeights, askedText } = await import('@assize/evaluate/tune');
    const { candidates, context } = this.session.query(query);
    let question = '';
    const stop = (): void => void this.answer(question, 'stop');
    abort.addEventListener('abort', stop);
    try {
      const asked = await askWeights(this.session.source.profile, candidates, context, {
        ask: ({ indexes, answered, agreement }) => {
          question = randomUUID();
          report({ question, pair: indexes, answered, agreement });
          return new Promise((resolve) => void this.#waiting.set(question, resolve));
        },
        signal: abort,
        ...this.#options,
      });
      return foundByAsking(asked, askedText(asked));
    } finally {
      this.#waiting.delete(question);
      abort.removeEventListener('abort', stop);
    }
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

/** The result of a search that ended before it found weights. */
const NOTHING_FOUND: FoundWeights = {
  scorers: [],
  evidence: ['The search was stopped before it found any weights.'],
  shown: false,
};

/** The result of a search, with the evidence of `assize tune`. */
function foundByTuning(
  tuning: Tuning,
  { heldOutText, learntFromText }: Pick<typeof import('@assize/evaluate/tune'), 'heldOutText' | 'learntFromText'>,
): FoundWeights {
  const { scorers, left, heldOut, shown, stopped } = tuning;
  return {
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
    return { scorers: [], evidence: ['No question was answered: the weights are unchanged.'], shown: false };
  }
  const against = answers.flatMap(({ contradicts }, k) => (contradicts ? [k + 1] : []));
  return {
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
