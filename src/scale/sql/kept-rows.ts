import { verdictOf } from '../../engine/index.js';
import type { StreamRun } from '../../pipeline/index.js';
import { Untranslatable } from './dialect.js';
import { type RowVariable, type Target, translateUse, translator } from './expression.js';
import { absentNumber, anyOf, type Layers, type Uncertain, orFalse, type SqlNumber } from './values.js';

/** A part of a profile, and why SQL does not evaluate it, if it does not. */
export interface PartNote {
  readonly part: string;
  readonly id: string;
  /** Undefined if it is translated. */
  readonly why: string | undefined;
}

/** Translates the stages before the scores, in order: vetoes, pinned candidates, measures. */
export class KeptRows {
  readonly steps = new VerdictSteps();
  readonly notes: PartNote[] = [];
  /** The scores of the scorers that were translated so far. */
  readonly scores = new Map<string, SqlNumber>();
  readonly #measures = new Map<string, SqlNumber>();

  constructor(
    private readonly run: StreamRun,
    private readonly target: Target,
  ) {}

  /** The variables that expressions may read, besides the candidate. */
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
      // Later vetoes are also evaluated on a refused row. If one may fail, the process evaluates the row to count the
      // failure.
      if (!onFirst) this.steps.addFirst({ uncertain: found.uncertain });
    }
  }

  /** Makes pinned candidates uncertain. */
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

  /** Translates a part. If it has no translation, notes the reason. */
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

/** The verdict of an uncertain row, which the process evaluates. */
export const UNCERTAIN = -1;

/** A step that may decide the verdict of a row. */
interface Step {
  /** When the row is uncertain. Checked before `refuses`. */
  readonly uncertain: Uncertain;
  /** When the row is refused, and its verdict. */
  readonly refuses?: string | undefined;
  readonly verdict?: number;
}

/** The steps that decide the verdict of a row. The first one that applies wins. */
class VerdictSteps {
  readonly #steps: Step[] = [];

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** Adds a step before all others. */
  addFirst(step: Step): void {
    this.#steps.unshift(step);
  }

  /** Makes every row uncertain that no earlier step decides. */
  giveUp(): void {
    this.add({ uncertain: ['TRUE'] });
  }

  /** The conditions under which rows are refused, in order. */
  get refusals(): readonly string[] {
    return this.#steps.flatMap(({ refuses }) => refuses ?? []);
  }

  /** The verdicts of refused rows. */
  get verdicts(): readonly number[] {
    return [...new Set(this.#steps.flatMap(({ verdict }) => verdict ?? []))];
  }

  /** Whether every row is uncertain. */
  get isIdle(): boolean {
    const first = this.#steps.find(({ uncertain, refuses }) => refuses !== undefined || uncertain.includes('TRUE'));
    return first?.uncertain.includes('TRUE') === true;
  }

  /** The verdict of a row: 0 if no step applies. */
  sql(layers: Layers): string {
    const cases = this.#steps.flatMap(({ uncertain, refuses, verdict }) => [
      ...(uncertain.length > 0 ? [`WHEN ${layers.let(anyOf(uncertain))} THEN ${UNCERTAIN}`] : []),
      ...(refuses !== undefined ? [`WHEN ${refuses} THEN ${verdict}`] : []),
    ]);
    return cases.length === 0 ? '0' : `CASE ${cases.join('\n    ')} ELSE 0 END`;
  }
}
