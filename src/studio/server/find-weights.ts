import { randomUUID } from 'node:crypto';
import type { Asked, Reply, LeftAlone, TuneOptions, Tuning } from '../../tune/index.js';
import type { AskedPair, FoundWeights, TuneProgress } from '../data/studio-data.js';
import { isJudged } from './ranked-profile.js';
import type { StudioSession } from './studio-session.js';

/** What cannot be done now, with its reason in words. */
export class NotNowError extends Error {
  override readonly name = 'NotNowError';
}

/** Why a search ends before it is done: somebody wants what it has found by then. */
class EndedError extends Error {
  override readonly name = 'EndedError';
}

/** Finds weights for the profile in a session's file, as `tune` and `ask` do. Nothing is written. */
export class WeightFinder {
  /** Ends the search that is going on. */
  #ending: AbortController | undefined;
  /** By question: who waits for an answer. */
  readonly #waiting = new Map<string, (reply: Reply) => void>();

  constructor(private readonly session: StudioSession) {}

  /**
   * Finds weights by the judgements of all queries, with the evidence of `assize tune`.
   *
   * @param abort ends the search for nobody; `endTuning` ends it and keeps what it has found
   * @throws NotNowError where nobody judged anything, or another search is going on, and what `tuneWeights` throws
   */
  async tune(tell: (step: TuneProgress) => void, abort: AbortSignal): Promise<FoundWeights> {
    const queries = this.session.queries.filter(isJudged);
    if (queries.length === 0) throw new NotNowError('nobody judged these candidates: there is nothing to tune by');
    if (this.#ending) throw new NotNowError('weights are being found already, in another page');
    const ending = new AbortController();
    this.#ending = ending;
    try {
      const { tuneWeights } = await import('../../tune.js');
      const progress = ({ task, done, total }: TuneProgress): void => tell({ task, done, total });
      const options = { signal: AbortSignal.any([abort, ending.signal]), progress, ...this.#options };
      return await foundByTuning(await tuneWeights(this.session.source.profile, queries, options));
    } catch (error) {
      if (error instanceof EndedError) return NOTHING_FOUND;
      throw error;
    } finally {
      this.#ending = undefined;
    }
  }

  /** @returns whether a search was going on, which ends now with the best that it has found */
  endTuning(): boolean {
    this.#ending?.abort(new EndedError());
    return this.#ending !== undefined;
  }

  /** Asks about pairs of a query's candidates until the answers decide the top, or the asked one has gone. */
  async ask(query: number, tell: (pair: AskedPair) => void, abort: AbortSignal): Promise<FoundWeights> {
    const { askWeights, askedText } = await import('../../tune.js');
    const { candidates, context } = this.session.query(query);
    let question = '';
    const stop = (): void => void this.answer(question, 'stop');
    abort.addEventListener('abort', stop);
    try {
      const asked = await askWeights(this.session.source.profile, candidates, {
        ask: ({ indexes, answered, agreement }) => {
          question = randomUUID();
          tell({ question, pair: indexes, answered, agreement });
          return new Promise((resolve) => void this.#waiting.set(question, resolve));
        },
        context,
        signal: abort,
        ...this.#options,
      });
      return foundByAsking(asked, askedText(asked));
    } finally {
      this.#waiting.delete(question);
      abort.removeEventListener('abort', stop);
    }
  }

  /** @returns whether somebody waited for it */
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

/** A search that was ended before it had found anything. */
const NOTHING_FOUND: FoundWeights = {
  scorers: [],
  evidence: ['The search was ended before it had found any weights: nothing is kept.'],
  shown: false,
};

/** What a search found, with the evidence of `assize tune`. */
async function foundByTuning(tuning: Tuning): Promise<FoundWeights> {
  const { heldOutText, learntFromText } = await import('../../tune/tuned-yaml.js');
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
  'Unfinished: the search was ended, and these are the best weights that it had by then. What was kept back is measured as far as it came.';

/** What answers say, and how sure that is. */
function foundByAsking(asked: Asked<object>, text: string): FoundWeights {
  const { scorers, left, top, answers, stable } = asked;
  if (answers.length === 0) {
    return { scorers: [], evidence: ['Nothing was answered: the weights stay what they are.'], shown: false };
  }
  const against = answers.flatMap(({ contradicts }, k) => (contradicts ? [k + 1] : []));
  return {
    scorers: scorers.map(({ id, before, weight, likely }) => ({ id, before, weight, likely })),
    evidence: [
      ...(stable ? [] : [UNSURE]),
      text,
      `the top by them: ${top.map(({ id }) => id).join(', ')}`,
      ...left.map(leftText),
      ...(against.length > 0 ? [`the other answers say otherwise than ${against.join(', ')}`] : []),
    ],
    shown: stable,
  };
}

const UNSURE =
  'A guess: the answers do not decide the top yet, and each weight is likely, at 90 %, to be somewhere between the two that stand beside it.';

const leftText = ({ id, because }: LeftAlone): string => `${id} is as it was: ${because}`;
