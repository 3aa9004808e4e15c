import { createCompiledProfile, PIPELINE_OPTIONS, type PipelineOptions } from '../../pipeline/node.js';
import type { Context } from '../../sdk/index.js';
import { checkOptions, didYouMean, describeValue, nameList } from '../../base/index.js';
import { OVERRIDE_OPTIONS, overridePlan, type PlanOverrides, checkDates, NEVER } from '../../engine/index.js';
import type { ProfileSource } from '../../profile/index.js';
import { openStreamRun, retainedCount, type StreamRun, type TopRanking } from '../../pipeline/index.js';
import { AbsentFields, dateFields, sortPrefilterRows, toPrefilterRow } from './prefilter-rows.js';
import { DIALECT_NAMES, DIALECTS, type DialectName } from './dialects.js';
import { finishRows, firstPromising, GROWTH } from './finish.js';
import type { PartNote } from './kept-rows.js';
import { fail } from './dialect.js';
import {
  checkNeeded,
  parseColumns,
  type Relation,
  TABLE_OPTIONS,
  type TableOptions,
  tableRelation,
} from './relation.js';
import { idleReason, obstacleOf, type Prefilter, translateRun, untranslatedNotices } from './statement.js';

/** The options of `translate`: weights and limits as for `rank`. */
export interface TranslateOptions extends TableOptions, PlanOverrides, PipelineOptions {
  /** The columns of the table as its schema writes them: `id bigint, title string, rating double`. */
  readonly columns: string;
  /** The context of this request, as for `rank`. The statement contains its time and all its values. */
  readonly context?: Context;
  /**
   * The number of most promising rows that the statement returns, if the process evaluates some scorers by pruning. By
   * default at least 4,096. If they are not enough, `finish` fails (ASZ585).
   */
  readonly promising?: number;
}

/** A profile as a statement, to run in a database that this process does not access. */
export interface Translation {
  /** The statement. `finish` takes its rows. */
  readonly sql: string;
  /** The parts of the profile. The process evaluates each part that has a reason. */
  readonly parts: readonly PartNote[];
  /**
   * Makes the ranking from the statement's rows.
   *
   * @param rows as objects
   * @throws AssizeError if they are not the result of this statement (ASZ572), if more of the most promising rows are
   *   needed (ASZ585), and as a run does
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
 * @throws AssizeError if SQL can decide nothing of the profile (ASZ571), if the dialect or an option is unknown or
 *   invalid (ASZ533), and as `createPipeline` does
 */
export async function translate(
  profile: ProfileSource,
  dialect: DialectName,
  options: TranslateOptions,
): Promise<Translation> {
  checkTranslation(dialect, options);
  const { table, orderBy, columns, context = {}, ...others } = options;
  const relation = tableRelation(DIALECTS[dialect], { table, orderBy }, parseColumns(DIALECTS[dialect], columns));
  return translateRelation(profile, dialect, relation, context, others);
}

/** @throws AssizeError (ASZ533) */
function checkTranslation(dialect: unknown, options: object): void {
  if (!DIALECT_NAMES.some((name) => name === dialect)) {
    const found = typeof dialect === 'string' ? dialect : describeValue(dialect);
    const hint = didYouMean(found, DIALECT_NAMES, `there are: ${nameList(DIALECT_NAMES)}`);
    fail('ASZ533', `translate has no dialect ${found}`, hint);
  }
  checkOptions('translate', options, {
    ...PIPELINE_OPTIONS,
    ...OVERRIDE_OPTIONS,
    ...TABLE_OPTIONS,
    columns: 'string',
    context: 'anything',
    promising: { integerFrom: 1 },
  });
  checkNeeded('translate', options, ['table', 'orderBy', 'columns']);
}

/** The options of `translateRelation`. */
type RelationOptions = Omit<TranslateOptions, keyof TableOptions | 'columns' | 'context'>;

/** Translates a profile over any relation. */
export async function translateRelation(
  profile: ProfileSource,
  dialect: DialectName,
  relation: Relation,
  context: Context,
  { top, minScore, offset, weights, promising, ...options }: RelationOptions,
): Promise<Translation> {
  const compiled = await createCompiledProfile(profile, options);
  const overrides = { top, minScore, offset, weights };
  const plan = overridePlan(compiled.plan, overrides);
  const obstacle = obstacleOf(plan.profile);
  if (obstacle !== undefined) fail('ASZ571', `there is no statement: ${obstacle}`);
  checkDates(plan.profile, dateFields(plan.profile, relation));
  const open = (own: Context) => openStreamRun(plan, own, NEVER);
  const run = await open(context);
  const many = promising ?? firstPromising(retainedCount(plan));
  const translateFor = (one: StreamRun): Prefilter =>
    translateRun(one, DIALECTS[dialect], relation, { promising: many });
  const prefilter = translateFor(run);
  if (prefilter.isIdle) fail('ASZ571', `there is no statement: ${idleReason(prefilter)}`);
  return {
    sql: prefilter.sql,
    parts: prefilter.parts,
    finish: async (rows) => {
      const result = sortPrefilterRows([...rows].map(toPrefilterRow));
      // The rows contain the time at which the statement was made.
      const now = Number(result.fingerprint?.split(' ')[0] ?? Number.NaN);
      const same = now === run.start.now ? run : await open({ ...context, ...(Number.isFinite(now) && { now }) });
      const { fingerprint } = same === run ? prefilter : translateFor(same);
      if (result.fingerprint !== fingerprint) {
        const message = 'the rows are not the result of this statement';
        fail('ASZ572', message, 'profile, context, limits and table must be the same as for the statement');
      }
      const absent = new AbsentFields(plan.profile, relation, undefined);
      const prefiltered = { relation, result, absent, notices: untranslatedNotices(prefilter) };
      const ranking = await finishRows(compiled, same, prefilter, prefiltered, overrides, undefined);
      if (ranking) return ranking;
      const message = `the ${many} most promising rows are not enough: another row may be among the best`;
      return fail('ASZ585', message, `create a statement with more rows: ${many * GROWTH}, for example`);
    },
  };
}
