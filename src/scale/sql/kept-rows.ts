import { verdictOf } from '../../engine/index.js';
import type { StreamRun } from '../../pipeline/index.js';
import { Untranslatable } from './dialect.js';
import { type RowVariable, type Target, translateUse, translator } from './expression.js';
import { absentNumber, anyOf, type Layers, type Uncertain, orFalse, type SqlNumber } from './values.js';

/** What SQL does about one part of a profile, or why it does nothing. */
export interface PartNote {
  readonly part: string;
  readonly id: string;
  /** Undefined if it is translated. */
  readonly why: string | undefined;
}

/** Translates what comes before the scores, in the order of the stages: vetoes, pinned candidates, measures. */
export class KeptRows {
  readonly steps = new VerdictSteps();
  readonly notes: PartNote[] = [];
  /** Of the scorers that are translated, once they are. */
  readonly scores = new Map<string, SqlNumber>();
  readonly #measures = new Map<string, SqlNumber>();

  constructor(
    private readonly run: StreamRun,
    private readonly target: Target,
  ) {}

  /** What expressions may read besides the candidate. */
  readonly variables: RowVariable = (name, field) => {
    if (field === undefined || (name !== 'measures' && name !== 'scores')) return undefined;
    const found = (name === 'measures' ? this.#measures : this.scores).get(field);
    if (found) return found;
    throw new Untranslatable(`it reads ${name}.${field}, which has no translation`);
  };

  veto(): void {
    const { plan, start } = this.run;
    const { groups, onFirst } = plan.vetoes;
    const { layers } = this.target.numbers;
    for (const { entry, refuser, when } of groups.flatMap(({ vetoes }) => vetoes)) {
      if (!plan.current.enter(start, when)) continue;
      const found = this.attempt('veto', entry.id, () => {
        if ([...entry.scopes].some((scope) => scope !== 'candidate'))
          throw new Untranslatable('it needs all candidates');
        return translateUse(this.target, entry.use, 'bool', this.variables);
      });
      if (!found) {
        if (onFirst) this.steps.giveUp();
        else this.steps.addFirst({ uncertain: ['TRUE'] });
        continue;
      }
      const sql = layers.let(found.sql);
      this.steps.add({ uncertain: found.uncertain, refuses: orFalse(sql), verdict: verdictOf(refuser, 'veto') });
      if (entry.onAbsent === 'refuse') {
        this.steps.add({ uncertain: [], refuses: `(${sql} IS NULL)`, verdict: verdictOf(refuser, 'absent') });
      }
      // What would be asked of a refused row may fail, and be counted: then the process asks it.
      if (!onFirst) this.steps.addFirst({ uncertain: found.uncertain });
    }
  }

  /** A pinned candidate is uncertain. */
  setPinnedAside(): void {
    const { pinned } = this.run.plan.profile.candidate;
    if (!pinned) return;
    const found = this.attempt('candidate', 'pinned', () => translator(this.target, this.variables).bool(pinned.tree));
    if (found) this.steps.add({ uncertain: [...found.uncertain, orFalse(found.sql)] });
    else this.steps.giveUp();
  }

  measure(): void {
    const { plan, start } = this.run;
    const { numbers } = this.target;
    for (const measure of plan.measures) {
      const entry = plan.profile.measures.find(({ id }) => id === measure.id)!;
      const isIn = plan.current.enter(start, () => measure.when());
      const found = this.attempt('measure', entry.id, () => {
        if (!isIn) return absentNumber(numbers.dialect);
        return translateUse(this.target, entry.use, 'number', this.variables);
      });
      if (found?.kind !== 'number') {
        this.steps.giveUp();
        continue;
      }
      this.steps.add({ uncertain: found.uncertain });
      this.#measures.set(entry.id, { ...found, sql: numbers.layers.let(found.sql), uncertain: [] });
    }
  }

  /** Translates a part, and notes why it cannot be. */
  attempt<V>(part: string, id: string, translate: () => V): V | undefined {
    try {
      const value = translate();
      this.notes.push({ part, id, why: undefined });
      return value;
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      this.notes.push({ part, id, why: error.message });
      return undefined;
    }
  }
}

/** In the place of a verdict: SQL promises nothing about the row. */
export const UNCERTAIN = -1;

/** One thing that may decide about a row. */
interface Step {
  /** When SQL promises nothing, asked first. */
  readonly uncertain: Uncertain;
  /** When the row is refused, and the verdict that it then has. */
  readonly refuses?: string | undefined;
  readonly verdict?: number;
}

/** What decides about a row, in order: the first step that says something holds. */
class VerdictSteps {
  readonly #steps: Step[] = [];

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** Adds a step before all others. */
  addFirst(step: Step): void {
    this.#steps.unshift(step);
  }

  /** Every row that comes so far is uncertain. */
  giveUp(): void {
    this.add({ uncertain: ['TRUE'] });
  }

  /** Whether every row is uncertain. */
  get isIdle(): boolean {
    const first = this.#steps.find(({ uncertain, refuses }) => refuses !== undefined || uncertain.includes('TRUE'));
    return first?.uncertain.includes('TRUE') === true;
  }

  /** The verdict of a row: 0 if no step says anything. */
  sql(layers: Layers): string {
    const cases = this.#steps.flatMap(({ uncertain, refuses, verdict }) => [
      ...(uncertain.length > 0 ? [`WHEN ${layers.let(anyOf(uncertain))} THEN ${UNCERTAIN}`] : []),
      ...(refuses !== undefined ? [`WHEN ${refuses} THEN ${verdict}`] : []),
    ]);
    return cases.length === 0 ? '0' : `CASE ${cases.join('\n    ')} ELSE 0 END`;
  }
}
