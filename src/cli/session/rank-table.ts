import { createHash } from 'node:crypto';
import { AssizeError, count, counted, escapeInvisible, type Problem } from '../../base/index.js';
import { packageVersion } from '../../base/node.js';
import type { CallBudget } from '../../engine/index.js';
import { groupText } from '../../data/index.js';
import { detectFileFormat, noCandidatesWarning } from '../../data/node.js';
import { type GroupBatch, rankPartitionChunks } from '../../pipeline/index.js';
import { effectiveProfile } from '../../pipeline/node.js';
import { combineFacts } from '../../profile/index.js';
import type { RankingResult, ResultTableOptions } from '../../ranking/index.js';
import {
  contextOfGroups,
  type GroupPart,
  type GroupsOutput,
  GroupTotals,
  type RankedGroup,
  singleGroups,
} from '../../scale/parts/index.js';
import { type CandidateOptions, type OverrideOptions, overridesOf, type WorkersOptions } from '../options.js';
import { groupText as groupTextMaker, type GroupTextSettings } from '../output/group-text.js';
import { ResultFile, streamTarget, tableTarget, type TableTarget } from '../output/result-file.js';
import { countsLine, runWarningsText } from '../output/summary.js';
import type { TableOptions } from '../table-options.js';
import { BufferedWriter, type Io } from '../terminal/io.js';
import { noCandidatesError, usageError, writeProblems } from '../terminal/problems.js';
import { groupContexts, type GroupedRows, openGroupedRows, optionPath } from './groups.js';
import { type EngineOptions, rankGroupsWithEngine } from './rank-with-engine.js';
import { rankGroupsInThreads, shareEvents, type ShareGroups } from './share-groups.js';
import { checkOverrides, type CliSession, locateContextProblems, rankInput } from './session.js';

interface RankTableOptions extends TableOptions, CandidateOptions, OverrideOptions, EngineOptions, WorkersOptions {
  /** With an engine: files after the first. */
  readonly more?: readonly string[];
  readonly budget?: CallBudget;
  readonly format: 'table' | 'json' | 'jsonl' | 'messages' | 'arrow';
  readonly candidates?: true;
  /** Ranks the groups elsewhere. The file is JSON Lines, which this process may be unable to open by its name. */
  readonly shareGroups?: ShareGroups;
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
  const totals = new GroupTotals();
  try {
    if (partitionBy !== undefined)
      await rankGroups(session, file, { ...options, partitionBy }, table, sink, totals, io);
    else if (sink) {
      const ranking = all ? await rankInput(session, file, options, io) : await rankTop();
      totals.add(ranking);
      await sink.add(ranking, null);
    }
    if (sink && target) {
      await sink.end(await manifest(session, file, options, totals));
      if (!target.out) {
        const counts = lineOf(totals, partitionBy !== undefined);
        io.out.write(`${nameOf(target)}: ${counted(sink.count, 'row')}; ${counts}\n`);
      }
    } else if (options.format === 'table') io.out.write(`${lineOf(totals, true)}\n`);
  } catch (error) {
    await sink?.abort();
    throw locateContextProblems(session.context, error);
  }
  if (file !== undefined && file !== '-' && totals.counts.given === 0 && !options.shareGroups)
    writeProblems(await noRowsWarnings(file, options), io);
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

/**
 * Ranks the groups of a file. If their rows are not adjacent, sorts the file and starts again: possible for a table
 * that is not published yet.
 */
async function rankGroups(
  session: CliSession,
  file: string | undefined,
  options: RankTableOptions & { readonly partitionBy: string },
  table: ResultTableOptions,
  sink: ResultFile | undefined,
  totals: GroupTotals,
  io: Io,
): Promise<void> {
  const { partitionBy, format, sort = false, generate, budget } = options;
  if (generate) throw usageError('--generate makes no groups', 'remove --generate or --partition-by');
  if (!sink && (format === 'json' || format === 'messages'))
    throw usageError(`--format ${format} is for one ranking`, 'use --format jsonl, or --output FILE');
  if (file === undefined && io.interactive && options.engine === undefined)
    throw noCandidatesError('give a file, or pipe candidates to standard input');
  const contexts = await groupContexts(session, options, io);
  const contextOf = contextOfGroups(contexts);
  const texts = sink ? undefined : textSettings(session, partitionBy, format === 'jsonl' ? format : 'table', io);
  const output: GroupsOutput = texts
    ? { kind: 'text', settings: texts }
    : { kind: 'table', table, all: options.all ?? false };
  const writer = texts && new GroupWriter(texts, io);
  const rankAll = async (groups: AsyncIterable<RankedGroup | GroupBatch | GroupPart>): Promise<void> => {
    for await (const one of groups) {
      if ('ranking' in one) {
        totals.add(one.ranking, groupText(one.group));
        await (writer ? writer.add(one) : sink?.add(one.ranking, one.group));
      } else if ('totals' in one) {
        totals.addPart(one.totals);
        if (writer) await writer.write(one.text);
        else if (one.rows) await sink?.addRows(one.rows);
      } else {
        totals.addAll(one);
        await sink?.addAll(one);
      }
    }
  };
  const limits = { by: partitionBy, budget, ...overridesOf(options) };
  const single = singleGroups(output);
  const rankRows = (rows: GroupedRows, sorted: boolean) =>
    rankPartitionChunks(session.pipeline, rows.read(sorted), contextOf, limits, { single });
  if (options.engine !== undefined) {
    const files = file === undefined ? [] : [file, ...(options.more ?? [])];
    const ownContexts = options.queries === undefined && options.contextFrom === undefined ? undefined : contextOf;
    return rankAll(rankGroupsWithEngine(session, files, ownContexts, { ...options, single }, io));
  }
  if (options.shareGroups && file !== undefined) {
    optionPath('--partition-by', partitionBy);
    const now = session.compiled.plan.clock.now();
    const run = { by: partitionBy, now, overrides: overridesOf(options), budget, contexts, output };
    return rankAll(options.shareGroups(run, shareEvents(file, partitionBy, io)));
  }
  const rows = await openGroupedRows(session, file ?? '-', options, !sink && format === 'jsonl', io);
  const rank = async (sorted: boolean): Promise<void> => {
    const shared = sorted
      ? undefined
      : await rankGroupsInThreads(session, file, { ...options, contexts, rows, output }, io);
    return rankAll(shared ?? rankRows(rows, sorted));
  };
  if (sort && (options.workers ?? 1) > 1) io.err.write('one thread: DuckDB sorts the rows\n');
  try {
    await rank(sort);
  } catch (error) {
    const hasMemory = session.compiled.plan.units.memories.store.any; // the first groups have updated it
    if (!sink?.canRestart || sort || hasMemory || !isNotAdjacent(error) || file === undefined || file === '-')
      throw error;
    const { canSort } = await import('../../scale/sql/engines/duckdb-tables.js');
    if (!(await canSort())) throw error;
    const threads = (options.workers ?? 1) > 1 ? ', and ranking them in one thread' : '';
    io.err.write(`the rows of ${file} are not grouped by ${partitionBy}: sorting them with DuckDB${threads}\n`);
    totals.clear();
    await sink.restart();
    await rank(true);
  }
}

const isNotAdjacent = (error: unknown): boolean => error instanceof AssizeError && error.code === 'ASZ536';

function textSettings(
  { pipeline }: CliSession,
  by: string,
  format: GroupTextSettings['format'],
  { out: { columns, limit, colour, bars } }: Io,
): GroupTextSettings {
  return { by, format, scorers: pipeline.describe().scorers, style: { columns, limit, colour, bars } };
}

/** Writes the texts of groups to standard output. */
class GroupWriter {
  readonly #writer: BufferedWriter;
  readonly #textOf: (group: RankedGroup) => string;

  constructor(settings: GroupTextSettings, io: Io) {
    this.#writer = new BufferedWriter(io.out);
    this.#textOf = groupTextMaker(settings);
  }

  add(group: RankedGroup): Promise<void> {
    return this.write(this.#textOf(group));
  }

  async write(text: string): Promise<void> {
    await this.#writer.add(text);
    await this.#writer.flush();
  }
}

const countsOf = ({ groups, counts }: GroupTotals, grouped: boolean): Readonly<Record<string, number>> => {
  const { given, ranked, selected, notSelected, refused } = counts;
  return { ...(grouped && { groups }), given, ranked, selected, not_selected: notSelected, refused };
};

function lineOf({ groups, counts }: GroupTotals, grouped: boolean): string {
  const text = grouped ? `${count(groups)} ${groups === 1 ? 'group' : 'groups'}, ` : '';
  return text + countsLine(counts, 'selected');
}

/** What a table was made from. */
async function manifest(
  { profile, compiled, trust }: CliSession,
  file: string | undefined,
  { partitionBy, ...options }: RankTableOptions,
  totals: GroupTotals,
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
    now: totals.now === undefined ? undefined : new Date(totals.now).toISOString(),
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
    counts: countsOf(totals, partitionBy !== undefined),
    degraded: totals.degraded,
  };
}
