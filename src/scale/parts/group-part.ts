import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../base/node.js';
import {
  columnsOf,
  fieldReader,
  type GroupKey,
  GroupKeys,
  groupText,
  type StoredRows,
  TableBatch,
} from '../../data/index.js';
import type { CallBudget, PlanOverrides } from '../../engine/index.js';
import { isMap } from '../../expression/index.js';
import { type Pipeline, rankPartitionChunks } from '../../pipeline/index.js';
import { resultColumns, ResultRows, type RankingResult, type ResultTableOptions } from '../../ranking/index.js';
import { contextOfGroups, type GroupContexts } from './group-contexts.js';
import { rowsOfWholeGroups, type ShardRows } from './group-shard.js';
import { GROUPS_WITH_WARNINGS, GroupTotals, type TotalsState } from './group-totals.js';

/** How the groups of a file are ranked in parts. Plain data if the contexts are. */
export interface GroupsRun {
  /** The path of the group. */
  readonly by: string;
  /** The time of all groups, unless their contexts set another. */
  readonly now: number;
  readonly overrides: PlanOverrides;
  readonly budget: CallBudget | undefined;
  readonly contexts: GroupContexts;
  readonly output: GroupsOutput;
}

/** What is made of the groups: rows of a table, or a text for each group. */
export type GroupsOutput =
  | {
      readonly kind: 'table';
      readonly table: ResultTableOptions;
      /** Whether rows that are not selected are written, too. */
      readonly all: boolean;
    }
  | {
      readonly kind: 'text';
      /** The argument of `groupText` of the module of texts. */
      readonly settings: object;
    };

/**
 * The module of the texts of groups, in the published bundle, also when running from the sources: a thread runs JavaScript.
 * It exports `groupText`, a `GroupTextMaker`.
 */
const groupTextModule = (): string => pathToFileURL(join(packageRoot(), 'dist', 'bundle', 'group-text.js')).href;

/** Makes the function that returns the text of a group. */
type GroupTextMaker = (settings: object) => (group: RankedGroup) => string;

/** One group of rows, ranked on its own. */
export interface RankedGroup {
  readonly group: GroupKey;
  readonly ranking: RankingResult<object>;
}

/** Whole groups of a file, ranked. Plain data. */
export interface GroupPart {
  readonly totals: TotalsState;
  /** The hashes of their keys, for `GroupKeys.addAll`. */
  readonly keys: Uint32Array;
  /** The number of lines that cannot be read. */
  readonly unreadable: number;
  /** The paths of `pathsOf` without a value in every row. */
  readonly absent: readonly string[];
  /** For a table. */
  readonly rows: StoredRows | undefined;
  /** The texts of the groups. */
  readonly text: string;
}

/** The paths that must have a value in at least one row of the file. */
export const pathsOf = ({ by, contexts }: Pick<GroupsRun, 'by' | 'contexts'>): readonly string[] => [
  by,
  ...contexts.fields.map(({ path }) => path),
];

/** The paths without a value in every row of a chunk that are no column of it. All values of a column may be null. */
export const withoutValue = (paths: readonly string[], chunk: readonly object[]): readonly string[] => {
  const columns = columnsOf(chunk)?.columns;
  return paths.filter((path) => {
    if (columns?.has(path)) return false;
    const valueAt = fieldReader(path)(chunk);
    // By position: the rows of columns are not made objects.
    for (let k = 0; k < chunk.length; k++) if (valueAt(k) !== undefined && valueAt(k) !== null) return false;
    return true;
  });
};

/** The number of groups that are ranked one by one; undefined for all: only rows of tables are made of batches. */
export const singleGroups = (output: GroupsOutput): number | undefined =>
  output.kind === 'table' && !output.all ? GROUPS_WITH_WARNINGS : undefined;

/** Ranks the groups of chunks as a part of a file. A failure has no position in the file: the caller ranks the part again. */
export class GroupPartRanker {
  readonly #textOf: ((group: RankedGroup) => string) | undefined;
  readonly #context;

  private constructor(
    private readonly pipeline: Pipeline<object>,
    private readonly run: GroupsRun,
    makeText: GroupTextMaker | undefined,
  ) {
    this.#context = contextOfGroups(run.contexts);
    this.#textOf = makeText && run.output.kind === 'text' ? makeText(run.output.settings) : undefined;
  }

  static async open(pipeline: Pipeline<object>, run: GroupsRun): Promise<GroupPartRanker> {
    if (run.output.kind === 'table') return new GroupPartRanker(pipeline, run, undefined);
    const made = (await import(groupTextModule())) as { readonly groupText: GroupTextMaker };
    return new GroupPartRanker(pipeline, run, made.groupText);
  }

  /** @param unreadable returns the number of lines that could not be read, after the last chunk */
  async rank(
    chunks: AsyncIterable<readonly object[]>,
    unreadable: () => number,
    signal?: AbortSignal,
  ): Promise<GroupPart> {
    const { by, overrides, budget, now, output } = this.run;
    const totals = new GroupTotals();
    const seen = new GroupKeys();
    let absent = pathsOf(this.run);
    const checked = async function* (): AsyncGenerator<readonly object[], void> {
      for await (const chunk of chunks) {
        if (absent.length > 0) absent = withoutValue(absent, chunk);
        yield chunk;
      }
    };
    const options = { ...overrides, by, budget, ...(signal && { signal }) };
    const part = { seen, now, single: singleGroups(output) };
    const isTable = output.kind === 'table';
    const table = isTable ? output.table : { scorers: [], contributions: false };
    const batch = new TableBatch(resultColumns(table));
    const rows = new ResultRows(table);
    let text = '';
    for await (const one of rankPartitionChunks(this.pipeline, checked(), this.#context, options, part)) {
      if (!('ranking' in one)) {
        totals.addAll(one);
        rows.addAll(batch, one);
        continue;
      }
      totals.add(one.ranking, groupText(one.group));
      if (!isTable) text += this.#textOf!(one);
      else for (const _ of rows.add(batch, one.ranking, one.group, output.all)); // in memory for all
    }
    return {
      totals: totals.state,
      keys: seen.hashes,
      unreadable: unreadable(),
      absent,
      rows: isTable ? batch.stored : undefined,
      text,
    };
  }
}

/**
 * Ranks the whole groups of a shard.
 *
 * @param open  returns the rows of the shard; calls its argument for each line that cannot be read
 * @param pause awaited between chunks
 */
export function rankGroupPart(
  ranker: GroupPartRanker,
  by: string,
  open: (onUnreadable: () => void) => ShardRows,
  pause: () => Promise<void>,
): Promise<GroupPart> {
  let unreadable = 0;
  const rows = open(() => (unreadable += 1));
  const chunks = async function* (): AsyncGenerator<readonly object[], void> {
    for await (const chunk of rowsOfWholeGroups(rows, by)) {
      await pause();
      yield chunk;
    }
  };
  return ranker.rank(chunks(), () => unreadable);
}

/** Whether a value has the shape of a part. The content of a machine that may write parts is trusted. */
export function isGroupPart(value: unknown): value is GroupPart {
  if (!isMap(value) || !isMap(value['totals']) || !isMap(value['totals']['counts'])) return false;
  const { totals, keys, unreadable, absent, rows, text } = value;
  return (
    keys instanceof Uint32Array &&
    typeof totals['groups'] === 'number' &&
    [totals['degraded'], totals['warned'], absent].every(Array.isArray) &&
    typeof unreadable === 'number' &&
    typeof text === 'string' &&
    (rows === undefined || (isMap(rows) && typeof rows['count'] === 'number' && Array.isArray(rows['columns'])))
  );
}
