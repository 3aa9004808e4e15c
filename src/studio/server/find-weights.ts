import { randomUUID } from 'node:crypto';
import type { LeftAlone, Reply, TuneOptions } from '../../tune/index.js';
import type { AskedPair, FoundWeights, TuneProgress } from '../data/found-weights.js';
import type { StudioSession } from './studio-session.js';
import { isJudged } from './studio-source.js';

/** What cannot be done now, with its reason in words. */
export class NotNowError extends Error {
  override readonly name = 'NotNowError';
}

/** Finds weights for the profile in a session's file, as `tune` and `ask` do. Nothing is written. */
export class WeightFinder {
  #tuning = false;
  /** By question: who waits for an answer. */
  readonly #waiting = new Map<string, (reply: Reply) => void>();

  constructor(private readonly session: StudioSession) {}

  /**
   * Finds weights by the judgements of all queries, with the evidence of `assize tune`.
   *
   * @param abort ends the search: what was found is kept
   * @throws NotNowError where nobody judged anything, or another search is going on, and what `tuneWeights` throws
   */
  async tune(tell: (step: TuneProgress) => void, abort: AbortSignal): Promise<FoundWeights> {
    const queries = this.session.queries.filter(isJudged);
    if (queries.length === 0) throw new NotNowError('nobody judged these candidates: there is nothing to tune by');
    if (this.#tuning) throw new NotNowError('weights are being found already, in another page');
    this.#tuning = true;
    try {
      const [{ tuneWeights }, { heldOutText, learntFromText }] = await Promise.all([
        import('../../tune/index.js'),
        import('../../tune/output/evidence.js'),
      ]);
      const progress = ({ task, done, of }: TuneProgress): void => tell({ task, done, of });
      const tuning = await tuneWeights(this.session.source.profile, queries, { abort, progress, ...this.#options });
      const { scorers, left, heldOut, shown, stopped } = tuning;
      return {
        scorers: scorers.map(({ id, before, weight }) => ({ id, before, weight })),
        evidence: [
          learntFromText(tuning),
          ...heldOut.flatMap(heldOutText),
          ...leftText(left),
          ...(stopped ? ['the search was ended before it was done'] : []),
        ],
        shown,
      };
    } finally {
      this.#tuning = false;
    }
  }

  /** Asks about pairs of a query's candidates until the answers decide the top, or the asked one has gone. */
  async ask(query: number, tell: (pair: AskedPair) => void, abort: AbortSignal): Promise<FoundWeights> {
    const { askWeights, askedText } = await import('../../tune/index.js');
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
        abort,
        ...this.#options,
      });
      const { scorers, left, top, answers, stable } = asked;
      const against = answers.flatMap(({ contradicts }, k) => (contradicts ? [k + 1] : []));
      return {
        scorers,
        evidence: [
          askedText(asked),
          `the top by them: ${top.map(({ id }) => id).join(', ')}`,
          ...leftText(left),
          ...(against.length > 0 ? [`the other answers say otherwise than ${against.join(', ')}`] : []),
        ],
        shown: stable,
      };
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

const leftText = (left: readonly LeftAlone[]): readonly string[] =>
  left.map(({ id, because }) => `${id} is as it was: ${because}`);
