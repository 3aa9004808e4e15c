import { evaluatePart, Failures } from '../../engine/index.js';
import type { ChildUse } from '../../profile/index.js';
import { completePart, type StreamRun } from '../../stream/stream-run.js';
import { type ChildExtremes, childExtremes } from './child-extremes.js';
import type { Dialect } from '../dialects/dialect.js';
import { extremesRead } from './extremes-read.js';
import { extremesStatement, MOST_TIES } from './extremes-statement.js';
import type { Relation } from '../rows/relation.js';
import { setState } from '../set-state.js';
import { type ChosenRow, type SieveRow, sortSieveRows } from '../statement/sieve-rows.js';
import { translateRun } from '../statement/statement.js';
import type { Extremes } from '../expressions/uses.js';
import { Untranslatable } from '../untranslatable.js';
import { ODD } from '../stages/verdict-steps.js';

/** The extremes that the engine has found, and the rows that have them. */
export interface FoundExtremes {
  readonly numbers: Extremes;
  readonly rows: readonly ChosenRow[];
}

/**
 * Finds the extremes that a profile scales by, where these are all that its candidates must know of each other: a
 * statement gives the rows that may have them, and the engine says which do.
 *
 * @returns undefined where SQL would still not score the rest, or where the rows that may have an extreme are too many
 */
export async function findExtremes(
  run: StreamRun,
  dialect: Dialect,
  relation: Relation,
  ask: (sql: string) => Promise<readonly SieveRow[]>,
): Promise<FoundExtremes | undefined> {
  const children = extremesRead(run);
  if (!children || !scoresAll(run, dialect, relation, children)) return undefined;
  if (children.length === 0) return { numbers: new Map(), rows: [] }; // none of them is in this run
  const sql = statementFor(run, dialect, relation, children);
  if (sql === undefined) return undefined;
  const { chosen } = sortSieveRows(await ask(sql));
  if (chosen.filter(({ verdict }) => verdict !== ODD).length > MOST_TIES) return undefined;
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

const numbersOf = (children: readonly ChildUse[], found: readonly (ChildExtremes | undefined)[]): Extremes =>
  new Map(
    children.map((child, k) => {
      const pair = found[k];
      return [child, pair && { least: pair[0].score, greatest: pair[1].score }];
    }),
  );

/** Whether SQL scores every row, once the extremes are known: whatever they are. */
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
