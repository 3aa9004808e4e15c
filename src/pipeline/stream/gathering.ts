import { checkCandidates } from '../../stages/check-candidates.js';
import type { Counted } from '../../stages/failures.js';
import { andThen, type Soon } from '../../stages/wait.js';
import { judge } from '../judge.js';
import { UnseenPaths } from '../warnings/absent-paths.js';
import { type Census, censusOf, joined, NOBODY, shifted } from './census.js';
import { type HeldRow, Sieve } from './sieve.js';
import { batchIn, type StreamRun, told } from './stream-run.js';

/** What is known of candidates that were gathered elsewhere, besides those that are held. Plain data. */
export interface Gathered {
  readonly census: Census;
  readonly unseen: readonly number[];
  readonly failures: readonly Counted[];
}

/** What is known of the candidates of a stream so far: those that may be selected, and numbers for everybody else. */
export class Gathering<R extends HeldRow> {
  readonly sieve: Sieve<R>;
  readonly unseen: UnseenPaths;
  #census = NOBODY;

  /** @param count how many of the best are held */
  constructor(
    private readonly run: StreamRun,
    count: number,
  ) {
    this.sieve = new Sieve<R>(run.plan, count);
    this.unseen = new UnseenPaths(run.plan.profile);
  }

  get census(): Census {
    return this.#census;
  }

  /**
   * Judges the next candidates, and takes them in.
   *
   * @param held   makes what is held of a row, by its position among them
   * @param before how many came before all that are gathered here, for what is said where a run fails
   */
  take(candidates: readonly unknown[], held: (row: HeldRow, position: number) => R, before = 0): Promise<void> {
    const offset = before + this.census.given;
    checkCandidates(candidates, offset);
    return told(this.run, () => this.#judged(candidates, held), candidates, offset);
  }

  /** Takes in the next candidates, which were gathered elsewhere. */
  join({ census, unseen, failures }: Gathered, rows: Iterable<R>): void {
    for (const row of rows) this.sieve.add(row);
    this.unseen.meet(unseen);
    this.run.failures.addAll(failures);
    this.#census = joined(this.census, shifted(census, this.census.given));
  }

  /** All but those that are held, for a gathering that takes it in. */
  get gathered(): Gathered {
    const { census, unseen, run } = this;
    return { census, unseen: unseen.unseen, failures: run.failures.all };
  }

  #judged(candidates: readonly unknown[], held: (row: HeldRow, position: number) => R): Soon<void> {
    const { run, census } = this;
    return andThen(judge(run.plan, batchIn(run, candidates), run.failures), (judged) => {
      this.unseen.look(candidates);
      this.sieve.take(judged, census.given, held);
      this.#census = joined(census, censusOf(run.plan, judged, census.given));
    });
  }
}
