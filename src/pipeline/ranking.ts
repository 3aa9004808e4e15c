import { type CellState, ScoreMatrix } from '../matrix/score-matrix.js';
import { judgeOf, type Refusal, refusalOf } from '../matrix/verdict.js';
import type { Degraded } from '../stages/failures.js';
import type { LeftReason } from '../stages/select.js';
import { settle } from '../stages/settle.js';
import type { Plan } from './compile.js';
import { idOf } from './ids.js';
import { refusalReason } from './refusal-reason.js';
import type { Outcome } from './run.js';
import { warningsOf } from './warnings.js';

/** A candidate with its name and its place in the input. */
export interface Placed<T> {
  readonly id: string;
  /** Its position in the candidates that were given; −1 for one that only a fallback made. */
  readonly index: number;
  readonly candidate: T;
}

/** A candidate that was scored. */
export interface Ranked<T> extends Placed<T> {
  readonly score: number;
  /** 1 is the best. */
  readonly rank: number;
  /** On how many of the run's scorers it was scored, where some abstained. */
  readonly partial?: { readonly present: number; readonly of: number };
}

/** A candidate that was selected: a ranked one, or one that is there whatever it scores. */
export interface Selected<T> extends Placed<T> {
  /** Undefined for what was pinned, and for a fallback. */
  readonly score: number | undefined;
  readonly rank: number | undefined;
  /** Why it is here, where that is not its score. */
  readonly because?: 'pinned' | 'fallback';
}

/** A candidate that was refused: by a veto, by an entry's rule for absence or failure, or because nothing scored it. */
export interface Refused<T> extends Placed<T> {
  readonly kind: Refusal;
  /** The entry that refused it; `combine` where none did alone. */
  readonly by: string;
  /** Made when it is read, by asking the entry again. */
  readonly reason: string;
  /** Every entry that refused it, where the profile asks them all (`veto_on_first: false`). */
  readonly all: readonly { readonly kind: Refusal; readonly by: string; readonly reason: string }[];
}

/** A candidate that was ranked and not selected. */
export interface LeftOut<T> extends Ranked<T> {
  readonly reason: LeftReason;
  /** The id of the duplicate that was kept. */
  readonly keptInstead?: string;
}

const lazy = <V>(make: () => V): (() => V) => {
  let made: { readonly value: V } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** The result of one run: immutable, and made of objects only where somebody looks. */
export class Ranking<T> {
  readonly #plan: Plan;
  readonly #outcome: Outcome;
  readonly #ranked: () => readonly Ranked<T>[];
  readonly #refused: () => readonly Refused<T>[];
  readonly #selected: () => readonly Selected<T>[];
  readonly #leftOut: () => readonly LeftOut<T>[];
  readonly #warnings: () => readonly string[];
  readonly #matrix: () => ScoreMatrix;
  /** By row: its rank. */
  readonly #ranks: () => Int32Array;

  constructor(plan: Plan, outcome: Outcome) {
    this.#plan = plan;
    this.#outcome = outcome;
    this.#ranks = lazy(() => {
      const ranks = new Int32Array(outcome.totals.length);
      outcome.ordered().forEach((row, k) => {
        ranks[row] = k + 1;
      });
      return ranks;
    });
    this.#ranked = lazy(() => Object.freeze(Array.from(outcome.ordered(), (row, k) => this.#row(row, k + 1))));
    this.#refused = lazy(() => Object.freeze(this.#makeRefused()));
    this.#selected = lazy(() => Object.freeze(this.#makeSelected()));
    this.#leftOut = lazy(() => Object.freeze(this.#makeLeftOut()));
    this.#warnings = lazy(() => Object.freeze(warningsOf(plan, outcome)));
    this.#matrix = lazy(() => this.#makeMatrix());
  }

  /** The profile's name. */
  get profile(): string {
    return this.#plan.profile.name;
  }

  /** Every scored candidate, best first; equal scores in the order of the input, unless the profile's `ties` say otherwise. */
  get ranked(): readonly Ranked<T>[] {
    return this.#ranked();
  }

  /** Every candidate that was refused, in the order of the input. */
  get refused(): readonly Refused<T>[] {
    return this.#refused();
  }

  /** What the profile's `select` selects: the pinned first, then the best. A fallback where there would be nothing. */
  get selected(): readonly Selected<T>[] {
    return this.#selected();
  }

  /** What was ranked and not selected, and why. Given = selected + left out + refused. */
  get leftOut(): readonly LeftOut<T>[] {
    return this.#leftOut();
  }

  /** The values of the profile's reports, by id. */
  get report(): ReadonlyMap<string, unknown> {
    return this.#outcome.reports.values;
  }

  /** What failed without failing the run: entry, stage, cause, and on how many candidates. */
  get degraded(): readonly Degraded[] {
    return this.#outcome.failures.list();
  }

  /** What is legal and surely a mistake: looked for when it is read. */
  get warnings(): readonly string[] {
    return this.#warnings();
  }

  /** The run's numbers, by row and entry. */
  get matrix(): ScoreMatrix {
    return this.#matrix();
  }

  #placed(position: number): Placed<T> {
    const candidate = this.#outcome.candidates[position];
    return { id: idOf(this.#plan.profile, candidate, position), index: position, candidate: candidate as T };
  }

  #row(row: number, rank = this.#ranks()[row]!): Ranked<T> {
    const { rows, kept, scored, totals } = this.#outcome;
    const scoredRow = rows?.[row] ?? row;
    const index = kept[scoredRow]!;
    const candidate = this.#outcome.candidates[index] as T;
    const placed = { id: idOf(this.#plan.profile, candidate, index), index, candidate, score: totals[row]!, rank };
    const present = scored.partial.get(scoredRow);
    if (present === undefined) return Object.freeze(placed);
    return Object.freeze({ ...placed, partial: { present, of: scored.scoring.runs.length } });
  }

  #makeRefused(): Refused<T>[] {
    const { verdicts, vetoed } = this.#outcome;
    const plan = this.#plan;
    const outcome = this.#outcome;
    const refused: Refused<T>[] = [];
    for (const [position, verdict] of verdicts.entries()) {
      if (verdict === 0) continue;
      const part = (one: number) => {
        const reason = lazy(() => refusalReason(plan, outcome, position, one));
        return {
          kind: refusalOf(one),
          by: plan.judges[judgeOf(one)] ?? 'combine',
          get reason() {
            return reason();
          },
        };
      };
      const all = (vetoed.all?.get(position) ?? [verdict]).map(part);
      const first = all[0]!;
      refused.push(
        Object.freeze({
          ...this.#placed(position),
          kind: first.kind,
          by: first.by,
          get reason() {
            return first.reason;
          },
          all,
        }),
      );
    }
    return refused;
  }

  #makeSelected(): Selected<T>[] {
    const { pinned, selected, fallback } = this.#outcome;
    const free = { score: undefined, rank: undefined };
    const because = (reason: 'pinned' | 'fallback') => (position: number) =>
      Object.freeze({ ...this.#placed(position), ...free, because: reason });
    const made = (fallback?.made ?? []).map((candidate) => {
      const id = idOf(this.#plan.profile, candidate, -1);
      return Object.freeze({ id, index: -1, candidate: candidate as T, ...free, because: 'fallback' as const });
    });
    const fallen = [...(fallback?.positions ?? []).map(because('fallback')), ...made];
    return [
      ...pinned.map(because('pinned')),
      ...Array.from(selected.rows, (row, k) => this.#row(row, selected.topOnly ? k + 1 : undefined)),
      ...fallen,
    ];
  }

  #makeLeftOut(): LeftOut<T>[] {
    const left = this.#outcome.selected.left().map(({ row, reason, keptRow }) =>
      Object.freeze({
        ...this.#row(row),
        reason,
        ...(keptRow !== undefined && { keptInstead: this.#row(keptRow).id }),
      }),
    );
    return left.sort((a, b) => a.rank - b.rank);
  }

  #makeMatrix(): ScoreMatrix {
    const { rows, kept, totals, scored, candidates, state } = this.#outcome;
    const { measures, scorers } = this.#plan.profile;
    const runs = new Map(scored.scoring.runs.map((run) => [run.entry.id, run]));
    const ask = (entry: string, row: number): { value: number | undefined; state: CellState } => {
      const scoredRow = rows?.[row] ?? row;
      if (!scorers.some(({ id }) => id === entry)) {
        const value = state.measures[entry]?.[scoredRow] ?? Number.NaN;
        return Number.isNaN(value) ? { value: undefined, state: 'absent' } : { value, state: 'scored' };
      }
      const run = runs.get(entry);
      if (!run) return { value: undefined, state: 'not_asked' };
      this.#plan.cell.state = state;
      const { raw, how } = settle(run, candidates[kept[scoredRow]!], scoredRow);
      return { value: raw, state: how };
    };
    const entries = [...measures.map(({ id }) => id), ...scorers.map(({ id }) => id)];
    return new ScoreMatrix(entries, rows?.map((row) => kept[row]!) ?? kept, totals, ask);
  }
}
