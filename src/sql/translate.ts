import { createCompiledProfile, type PipelineOptions } from '../container.js';
import type { Context } from '../contract/index.js';
import { NEVER, overridePlan, type PlanOverrides } from '../engine/index.js';
import type { ProfileSource } from '../profile/index.js';
import { openStreamRun } from '../stream/stream-run.js';
import type { TopRanking } from '../stream/top-ranking.js';
import { DIALECTS, type DialectName } from './dialects.js';
import { finishSieve } from './finish.js';
import type { PartNote } from './judgement.js';
import { fail } from './problems.js';
import { isolated, obstacleOf } from './rank-with.js';
import type { Relation } from './relation.js';
import { sortSieveRows, toSieveRow } from './sieve-rows.js';
import { idleReason, translateRun } from './statement.js';
import { parseColumns, type TableOptions, tableRelation } from './table.js';

/** The options of `translate`: weights and limits as for `rank`. */
export interface TranslateOptions extends TableOptions, PlanOverrides, PipelineOptions {
  /** The columns of the table as its schema writes them: `id bigint, title string, rating double`. */
  readonly columns: string;
  /** What is known about this request, as for `rank`. Its time, and all that it has, becomes part of the statement. */
  readonly context?: Context;
}

/** A profile as a statement, for a database that is asked elsewhere. */
export interface Translation {
  /** One statement, whose rows `finish` takes. */
  readonly sql: string;
  /** What each part of the profile became: what has a reason is left to the process. */
  readonly parts: readonly PartNote[];
  /**
   * Makes the ranking of what the statement gave.
   *
   * @param rows its rows, as objects
   * @throws AssizeError where they are not the result of this statement (ASZ572)
   */
  readonly finish: (rows: Iterable<Readonly<Record<string, unknown>>>) => Promise<TopRanking<object>>;
}

/**
 * Translates a profile to one SQL statement over a table.
 *
 * ```ts
 * const { sql, finish } = await translate('./films.yaml', 'spark', { table: 'films', orderBy: 'id', columns: 'id bigint, rating double', top: 10 });
 * ```
 *
 * @throws AssizeError where SQL can decide nothing of the profile (ASZ571), and as `createPipeline` does
 */
export async function translate(
  profile: ProfileSource,
  dialect: DialectName,
  { table, orderBy, columns, context = {}, ...options }: TranslateOptions,
): Promise<Translation> {
  const relation = tableRelation(DIALECTS[dialect], { table, orderBy }, parseColumns(DIALECTS[dialect], columns));
  return translateRelation(profile, dialect, relation, context, options);
}

/** The same over rows of any kind. */
export async function translateRelation(
  profile: ProfileSource,
  dialect: DialectName,
  relation: Relation,
  context: Context,
  { top, min_score, offset, weights, ...options }: PlanOverrides & PipelineOptions,
): Promise<Translation> {
  const compiled = await createCompiledProfile(profile, options);
  const plan = overridePlan(compiled.plan, { top, min_score, offset, weights });
  const obstacle = obstacleOf(plan.profile);
  if (obstacle !== undefined) fail('ASZ571', `there is no statement: ${obstacle}`);
  const open = (own: Context) => openStreamRun(plan, own, NEVER);
  const run = await open(context);
  const sieve = translateRun(run, DIALECTS[dialect], relation);
  if (sieve.isIdle) fail('ASZ571', `there is no statement: ${idleReason(sieve)}`);
  return {
    sql: sieve.sql,
    parts: sieve.parts,
    finish: async (rows) => {
      const result = sortSieveRows([...rows].map(toSieveRow));
      // The statement has the time at which it was made.
      const now = Number(result.fingerprint?.split(' ')[0] ?? Number.NaN);
      const same = now === run.start.now ? run : await open({ ...context, ...(Number.isFinite(now) && { now }) });
      const { fingerprint } = same === run ? sieve : translateRun(same, DIALECTS[dialect], relation);
      if (result.fingerprint === fingerprint) return finishSieve(isolated(same), relation, result, undefined, []);
      const message = 'the rows are not the result of this statement';
      return fail('ASZ572', message, 'profile, context, limits and table must be those of the statement');
    },
  };
}
