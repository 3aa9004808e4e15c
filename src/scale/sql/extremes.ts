import type { Score } from '../../sdk/index.js';
import {
  type CompiledUnit,
  Failures,
  type Plan,
  type Evaluation,
  evaluatePart,
  applyOnAbsent,
} from '../../engine/index.js';
import { entriesNeedingAll, hasMemory, type ChildUse, type Use } from '../../profile/index.js';
import { completePart, type StreamRun } from '../../pipeline/index.js';
import { Arithmetic } from './arithmetic.js';
import { type Dialect, Untranslatable } from './dialect.js';
import { type Extremes, formulaOf, type Target, translateChild } from './expression.js';
import { Fields } from './fields.js';
import { KeptRows, UNCERTAIN } from './kept-rows.js';
import type { Relation } from './relation.js';
import { setState } from './chosen-ranking.js';
import { type ChosenRow, resultRow, type PrefilterRow, sortPrefilterRows } from './prefilter-rows.js';
import { judgedRows, rowsOfChosen, selectionReason, translateRun } from './statement.js';
import { Layers, numberLiteral, type SqlNumber } from './values.js';

/** The exact extremes, computed by the engine, and the rows that have them. */
export interface FoundExtremes {
  readonly numbers: Extremes<number>;
  readonly rows: readonly ChosenRow[];
}

/**
 * Finds the extremes that a profile scales by, if its entries need nothing else of the other candidates. A statement
 * returns the rows that may have an extreme, and the engine scores them.
 *
 * @returns undefined if SQL could not score the other entries, or if too many rows may have an extreme
 */
export async function findExtremes(
  run: StreamRun,
  dialect: Dialect,
  relation: Relation,
  ask: (sql: string) => Promise<readonly PrefilterRow[]>,
): Promise<FoundExtremes | undefined> {
  const children = extremesRead(run);
  if (!children || !scoresAll(run, dialect, relation, children)) return undefined;
  if (children.length === 0) return { numbers: new Map(), rows: [] }; // no scaling entry takes part in this run
  const sql = statementFor(run, dialect, relation, children);
  if (sql === undefined) return undefined;
  const { chosen } = sortPrefilterRows(await ask(sql));
  if (chosen.filter(({ verdict }) => verdict !== UNCERTAIN).length > MOST_TIES) return undefined;
  const state = setState(
    { ...run, failures: new Failures() },
    chosen.map(({ cells }) => relation.decode(cells)),
    undefined,
  );
  const evaluation = await completePart(run, () => evaluatePart(state));
  const found = children.map((child) => childExtremes(run.plan, evaluation, child));
  const all = found.flatMap((pair) => pair ?? []);
  if (!all.every(({ score }) => Number.isFinite(score))) return undefined;
  return {
    numbers: numbersOf(children, found),
    rows: [...new Set(all.map(({ row }) => row))].map((row) => chosen[evaluation.kept[row]!]!),
  };
}

const numbersOf = (children: readonly ChildUse[], found: readonly (ChildExtremes | undefined)[]): Extremes<number> =>
  new Map(
    children.map((child, k) => {
      const pair = found[k];
      return [child, pair && { least: pair[0].score, greatest: pair[1].score }];
    }),
  );

/** Whether SQL can score every row if the extremes are known. */
function scoresAll(run: StreamRun, dialect: Dialect, relation: Relation, children: readonly ChildUse[]): boolean {
  const extremes = new Map(children.map((child) => [child, { least: 0, greatest: 1 }]));
  const { isComplete, isIdle } = translateRun(run, dialect, relation, { extremes });
  return isComplete && !isIdle;
}

function statementFor(...given: Parameters<typeof extremesStatement>): string | undefined {
  try {
    return extremesStatement(...given);
  } catch (error) {
    if (error instanceof Untranslatable) return undefined;
    throw error;
  }
}

/**
 * The entries whose minimum and maximum score the profile scales by. Undefined if candidates are also compared in
 * another way.
 */
export function extremesRead({ plan, start }: StreamRun): readonly ChildUse[] | undefined {
  const { profile, current, secondPhase, score } = plan;
  const comparing = entriesNeedingAll(profile);
  const areScalers = comparing.every(
    ({ id, use, scopes }) => profile.scorers.some((one) => one.id === id) && !hasMemory(use) && !scopes.has('sequence'),
  );
  if (comparing.length === 0 || !areScalers || secondPhase || selectionReason(profile) !== undefined) return undefined;
  const present = score.scorers.filter(({ entry, when }) => comparing.includes(entry) && current.enter(start, when));
  try {
    const read = present.map(({ entry }) => extremesOf(entry.use));
    return read.every((some) => some.length > 0) ? read.flat() : undefined;
  } catch (error) {
    if (error instanceof Untranslatable) return undefined;
    throw error;
  }
}

/** @throws Untranslatable if a nested class has no formula */
function extremesOf(use: Use): readonly ChildUse[] {
  if (use.kind === 'expr') return [];
  const own = [...formulaOf(use).statistics.values()].flatMap(({ child, which }) => {
    if (which !== 'least' && which !== 'greatest') throw new Untranslatable('it needs all candidates');
    return use.children.get(child) ?? [];
  });
  return [...new Set([...own, ...[...use.children.values()].flatMap((child) => extremesOf(child.use))])];
}

/** The maximum number of rows that may have an extreme. With more, the process ranks all rows. */
const MOST_TIES = 4096;

/**
 * A statement that returns every uncertain row, and the rows that may have the minimum or maximum score of an entry
 * among those that pass the vetoes. Undefined if every row is uncertain.
 *
 * @throws Untranslatable
 */
function extremesStatement(
  run: StreamRun,
  dialect: Dialect,
  relation: Relation,
  children: readonly ChildUse[],
): string | undefined {
  const layers = new Layers();
  const numbers = new Arithmetic(dialect, layers);
  const target: Target = { numbers, fields: new Fields(dialect, relation, layers), run: run.start };
  const rows = new KeptRows(run, target);
  rows.veto();
  rows.setPinnedAside();
  rows.measure();
  const scores = children.map((child) => translateChild(target, child, rows.variables));
  rows.steps.add({ uncertain: scores.flatMap(({ uncertain }) => uncertain) });
  if (rows.steps.isIdle) return undefined;
  const zero = numberLiteral(dialect, 0);
  const columns = scores.flatMap(({ sql, error }, k) => [
    `(${sql} + ${zero}) AS score${k}`, // since they compare as equal
    `${error === undefined ? zero : `(2 * coalesce(${error}, ${zero}))`} AS error${k}`,
  ]);
  const judged = judgedRows(dialect, relation, target, rows.steps.sql(layers), columns);
  return [
    `WITH assize_judged AS${dialect.materialized} (`,
    judged,
    '),',
    'assize_chosen AS (',
    '  SELECT DISTINCT k, verdict FROM (',
    `    SELECT k, verdict FROM assize_judged WHERE verdict = ${UNCERTAIN}`,
    ...scores.flatMap((score, k) => [mayBeExtreme(score, k, 'least'), mayBeExtreme(score, k, 'greatest')]),
    '  ) AS extremes',
    ')',
    `${resultRow(dialect, 'chosen', ['0', '0', 'count(*)'], 'NULL')} FROM assize_chosen`,
    rowsOfChosen(dialect, relation),
  ].join('\n');
}

/** The rows that may have an extreme. If the scores are exact, only the first row that has it. */
function mayBeExtreme({ error }: SqlNumber, k: number, which: 'least' | 'greatest'): string {
  const [sign, direction, extreme] = which === 'least' ? ['-', 'ASC', 'min'] : ['+', 'DESC', 'max'];
  const isKept = `verdict = 0 AND score${k} IS NOT NULL`;
  const rows = `SELECT k, verdict FROM assize_judged WHERE ${isKept}`;
  if (error === undefined)
    return `    UNION ALL SELECT * FROM (${rows} ORDER BY score${k} ${direction}, k LIMIT 1) AS ${which}${k}`;
  const opposite = sign === '-' ? '+' : '-';
  const bound = `(SELECT ${extreme}(score${k} ${opposite} error${k}) FROM assize_judged WHERE ${isKept})`;
  const reaches = `score${k} ${sign} error${k} ${which === 'least' ? '<=' : '>='} ${bound}`;
  return `    UNION ALL SELECT * FROM (${rows} AND ${reaches} LIMIT ${MOST_TIES + 1}) AS ${which}${k}`;
}

/** A score of an entry, and the first row of Tier 2 with that score. */
interface ScoreOfRow {
  readonly score: number;
  readonly row: number;
}

type ChildExtremes = readonly [least: ScoreOfRow, greatest: ScoreOfRow];

/**
 * The extremes of a nested entry among the rows that pass the vetoes, computed by the engine as for its parent.
 * Undefined if the entry gives no number. O(rows).
 */
export function childExtremes(
  plan: Plan,
  { candidates, kept, context }: Evaluation,
  child: ChildUse,
): ChildExtremes | undefined {
  const unit = plan.score.scorers.map((one) => compiledChild(one.unit, child)).find((one) => one !== undefined);
  if (!unit) return undefined;
  return plan.current.enter(context, () => {
    const score = unit.scoreIn(context) as Score<unknown>;
    const resolve = applyOnAbsent(child);
    let found: ChildExtremes | undefined;
    for (const [row, position] of kept.entries()) {
      const value = tryScore(() => resolve(score(candidates[position], row)));
      if (value === undefined || Number.isNaN(value)) continue;
      const here = { score: value, row };
      if (!found) found = [here, here];
      else if (value < found[0].score) found = [here, found[1]];
      else if (value > found[1].score) found = [found[0], here];
    }
    return found;
  });
}

function tryScore(score: () => number | undefined): number | undefined {
  try {
    return score();
  } catch {
    return undefined; // a failed row has no score
  }
}

function compiledChild({ children }: CompiledUnit<unknown>, wanted: ChildUse): CompiledUnit<unknown> | undefined {
  for (const { unit, use } of children) {
    const found = use === wanted ? unit : compiledChild(unit, wanted);
    if (found) return found;
  }
  return undefined;
}
