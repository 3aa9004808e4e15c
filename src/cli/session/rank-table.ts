import { createHash } from 'node:crypto';
import { AssizeError, count, counted, escapeInvisible, type Problem } from '../../base/index.js';
import { packageVersion } from '../../base/node.js';
import type { CallBudget, Degraded } from '../../engine/index.js';
import { type GroupKey, groupText } from '../../data/index.js';
import { detectFileFormat, noCandidatesWarning } from '../../data/node.js';
import { type GroupBatch, rankPartitionChunks } from '../../pipeline/index.js';
import { effectiveProfile } from '../../pipeline/node.js';
import { combineFacts } from '../../profile/index.js';
import type { RankingResult, ResultTableOptions, TopCounts } from '../../ranking/index.js';
import { type CandidateOptions, type OverrideOptions, overridesOf } from '../options.js';
import { rankingJsonLines } from '../output/json.js';
import { rankingTable } from '../output/ranking-table.js';
import { ResultFile, streamTarget, tableTarget, type TableTarget } from '../output/result-file.js';
import { countsLine, runWarningsText } from '../output/summary.js';
import type { TableOptions } from '../table-options.js';
import { BufferedWriter, type Io } from '../terminal/io.js';
import { noCandidatesError, usageError, writeProblems } from '../terminal/problems.js';
import { groupContexts, type GroupedRows, openGroupedRows } from './groups.js';
import { type EngineOptions, rankGroupsWithEngine } from './rank-with-engine.js';
import { checkOverrides, type CliSession, locateContextProblems, rankInput } from './session.js';

interface RankTableOptions extends TableOptions, CandidateOptions, OverrideOptions, EngineOptions {
  /** With an engine: files after the first. */
  readonly more?: readonly string[];
  readonly budget?: CallBudget;
  readonly format: 'table' | 'json' | 'jsonl' | 'messages' | 'arrow';
  readonly candidates?: true;
}

/**
 * Ranks a file as one ranking, or each of its groups, and writes a table, or the rankings of the groups to standard
 * output.
 *
 * @param rankTop ranks the file as a whole, without rows that are not selected
 */
export async function rankToTable(
  session: CliSession,
  file: string | undefined,
  options: RankTableOptions,
  rankTop: () => Promise<RankingResult<object>>,
  io: Io,
): Promise<void> {
  checkOverrides(session, options); // before anything is read or written
  const { partitionBy, all = false } = options;
  const target = options.format === 'arrow' ? streamTarget(io.out) : await tableTarget(options);
  const table: ResultTableOptions = {
    group: partitionBy,
    scorers: session.pipeline.describe().scorers,
    contributions: ['summand', 'factor'].includes(combineFacts(session.compiled.plan.profile.combine).effect),
  };
  const sink = target && (await ResultFile.open(target, table, all));
  const totals = new Totals();
  try {
    if (partitionBy !== undefined) await rankGroups(session, file, { ...options, partitionBy }, sink, totals, io);
    else if (sink) {
      const ranking = all ? await rankInput(session, file, options, io) : await rankTop();
      totals.add(ranking);
      await sink.add(ranking, null);
    }
    if (sink && target) {
      await sink.end(await manifest(session, file, options, totals));
      if (!target.out)
        io.out.write(`${nameOf(target)}: ${counted(sink.count, 'row')}; ${totals.line(partitionBy !== undefined)}\n`);
    } else if (options.format === 'table') io.out.write(`${totals.line(true)}\n`);
  } catch (error) {
    await sink?.abort();
    throw locateContextProblems(session.context, error);
  }
  if (file !== undefined && file !== '-' && totals.isEmpty) writeProblems(await noRowsWarnings(file, options), io);
  writeProblems(session.pipeline.warnings, io);
  io.err.write(runWarningsText(totals, io.err));
}

/** The warning about an empty table. The reader has already warned about a file of another format. */
async function noRowsWarnings(file: string, { input }: Pick<RankTableOptions, 'input'>): Promise<readonly Problem[]> {
  const format = input ?? (await detectFileFormat(file));
  if (noCandidatesWarning(file, format)) return [];
  return [{ code: 'ASZ717', message: `there are no candidates in ${file}` }];
}

const nameOf = ({ file, into }: TableTarget): string =>
  escapeInvisible(into ? `table ${into.table} of ${into.database}` : file);

/** One group of rows, ranked on its own. */
interface Group {
  readonly group: GroupKey;
  readonly ranking: RankingResult<object>;
}

/**
 * Ranks the groups of a file. If their rows are not adjacent, sorts the file and starts again: possible for a table
 * that is not published yet.
 */
async function rankGroups(
  session: CliSession,
  file: string | undefined,
  options: RankTableOptions & { readonly partitionBy: string },
  sink: ResultFile | undefined,
  totals: Totals,
  io: Io,
): Promise<void> {
  const { partitionBy, format, sort = false, generate, budget } = options;
  if (generate) throw usageError('--generate makes no groups', 'remove --generate or --partition-by');
  if (!sink && (format === 'json' || format === 'messages'))
    throw usageError(`--format ${format} is for one ranking`, 'use --format jsonl, or --output FILE');
  if (file === undefined && io.interactive && options.engine === undefined)
    throw noCandidatesError('give a file, or pipe candidates to standard input');
  const contextOf = await groupContexts(session, options, io);
  const write = sink ? (one: Group) => sink.add(one.ranking, one.group) : groupWriter(session, options, io);
  const rankAll = async (groups: AsyncIterable<Group | GroupBatch>): Promise<void> => {
    for await (const one of groups) {
      if ('ranking' in one) {
        totals.add(one.ranking, groupText(one.group));
        await write(one);
      } else {
        totals.addAll(one);
        await sink?.addAll(one);
      }
    }
  };
  const limits = { by: partitionBy, budget, ...overridesOf(options) };
  const single = sink && !options.all ? GROUPS_WITH_WARNINGS : undefined;
  const rankRows = (rows: GroupedRows, sorted: boolean) =>
    rankPartitionChunks(session.pipeline, rows.read(sorted), contextOf, limits, single);
  if (options.engine !== undefined) {
    const files = file === undefined ? [] : [file, ...(options.more ?? [])];
    const ownContexts = options.queries === undefined && options.contextFrom === undefined ? undefined : contextOf;
    return rankAll(rankGroupsWithEngine(session, files, ownContexts, { ...options, single }, io));
  }
  const rows = await openGroupedRows(session, file ?? '-', options, !sink && format === 'jsonl', io);
  const rank = (sorted: boolean): Promise<void> => rankAll(rankRows(rows, sorted));
  try {
    await rank(sort);
  } catch (error) {
    const hasMemory = session.compiled.plan.units.memories.store.any; // the first groups have updated it
    if (!sink?.canRestart || sort || hasMemory || !isNotAdjacent(error) || file === undefined || file === '-')
      throw error;
    const { canSort } = await import('../../scale/sql/engines/duckdb-tables.js');
    if (!(await canSort())) throw error;
    io.err.write(`the rows of ${file} are not grouped by ${partitionBy}: sorting them with DuckDB\n`);
    totals.clear();
    await sink.restart();
    await rank(true);
  }
}

const isNotAdjacent = (error: unknown): boolean => error instanceof AssizeError && error.code === 'ASZ536';

/** Returns a function that writes the ranking of a group to standard output. */
function groupWriter(
  session: CliSession,
  { partitionBy, format }: RankTableOptions & { readonly partitionBy: string },
  io: Io,
): (group: Group) => Promise<void> {
  const writer = new BufferedWriter(io.out);
  const { scorers } = session.pipeline.describe();
  const textOf = ({ group, ranking }: Group): string =>
    format === 'jsonl'
      ? rankingJsonLines(ranking, { [partitionBy]: typeof group === 'bigint' ? String(group) : group })
      : `${escapeInvisible(`${partitionBy} ${groupText(group)}`)}\n${rankingTable(ranking, scorers, io.out)}\n`;
  return async (partition) => {
    await writer.add(textOf(partition));
    await writer.flush();
  };
}

/** The groups after which warnings are no longer looked for. */
const GROUPS_WITH_WARNINGS = 20;

/** What all rankings of a table have in common. */
class Totals {
  #groups = 0;
  #counts = NO_COUNTS;
  #degraded = new Map<string, Degraded>();
  #warnings: readonly Problem[] | undefined;
  #first: string | undefined;
  #now: number | undefined;

  /** @param group its name; undefined if the ranking is the only one */
  add(ranking: RankingResult<object>, group?: string): void {
    const { counts } = ranking;
    this.#now ??= ranking.now;
    this.#first ??= group;
    this.#addCounts(counts);
    // A warning that only some groups have is about their rows, not about the profile.
    if (this.#groups < GROUPS_WITH_WARNINGS && this.#warnings?.length !== 0) {
      const codes = new Set(ranking.warnings.map(keyOf));
      this.#warnings = this.#warnings?.filter((one) => codes.has(keyOf(one))) ?? ranking.warnings;
    }
    this.#groups += 1;
    for (const one of ranking.degraded) {
      const key = `${one.entry} ${one.stage} ${one.cause}`;
      const before = this.#degraded.get(key);
      this.#degraded.set(key, before ? { ...before, count: before.count + one.count } : one);
    }
  }

  /** Adds groups without failures, after those that may have warnings. */
  addAll({ groups, counts }: Pick<GroupBatch, 'groups' | 'counts'>): void {
    this.#groups += groups.length;
    this.#addCounts(counts);
  }

  #addCounts(counts: TopCounts): void {
    this.#counts = {
      given: this.#counts.given + counts.given,
      ranked: this.#counts.ranked + counts.ranked,
      selected: this.#counts.selected + counts.selected,
      notSelected: this.#counts.notSelected + counts.notSelected,
      refused: this.#counts.refused + counts.refused,
    };
  }

  clear(): void {
    this.#groups = 0;
    this.#counts = NO_COUNTS;
    this.#degraded.clear();
    this.#warnings = undefined;
    this.#first = undefined;
  }

  get isEmpty(): boolean {
    return this.#counts.given === 0;
  }

  get degraded(): readonly Degraded[] {
    return [...this.#degraded.values()];
  }

  get warnings(): readonly Problem[] {
    const warnings = this.#warnings ?? [];
    if (this.#first === undefined || warnings.length === 0) return warnings;
    const seen = Math.min(this.#groups, GROUPS_WITH_WARNINGS);
    const where = `in ${seen === 1 ? 'group' : `the first ${seen} groups, such as`} ${this.#first}: `;
    return warnings.map((one) => ({ ...one, message: where + one.message }));
  }

  /** The time of the run. */
  get now(): string | undefined {
    return this.#now === undefined ? undefined : new Date(this.#now).toISOString();
  }

  counts(grouped: boolean): Readonly<Record<string, number>> {
    const { given, ranked, selected, notSelected, refused } = this.#counts;
    return { ...(grouped && { groups: this.#groups }), given, ranked, selected, not_selected: notSelected, refused };
  }

  line(grouped: boolean): string {
    const groups = grouped ? `${count(this.#groups)} ${this.#groups === 1 ? 'group' : 'groups'}, ` : '';
    return groups + countsLine(this.#counts, 'selected');
  }
}

const NO_COUNTS: TopCounts = { given: 0, ranked: 0, selected: 0, notSelected: 0, refused: 0 };

const keyOf = ({ code, path }: Problem): string => `${code} ${path}`;

/** What a table was made from. */
async function manifest(
  { profile, compiled, trust }: CliSession,
  file: string | undefined,
  { partitionBy, ...options }: RankTableOptions,
  totals: Totals,
): Promise<Readonly<Record<string, unknown>>> {
  const text = JSON.stringify(await effectiveProfile(profile, { trust }));
  const { weight, top, minScore, offset, seed, budget, queries, contextFrom, all, absent, input } = options;
  return {
    assize: packageVersion(),
    node: process.version,
    profile: {
      name: compiled.plan.profile.name,
      source: profile,
      sha256: createHash('sha256').update(text).digest('hex'),
    },
    input: options.table ?? (options.more?.length ? [file, ...options.more] : (file ?? '-')),
    engine: options.engine?.replace(/^postgres.*/, 'postgres'), // without the password of its address
    now: totals.now,
    options: {
      partition_by: partitionBy,
      queries,
      context_from: contextFrom,
      weights: weight,
      top,
      min_score: minScore,
      offset,
      seed,
      budget,
      all,
      absent,
      input,
    },
    counts: totals.counts(partitionBy !== undefined),
    degraded: totals.degraded,
  };
}
