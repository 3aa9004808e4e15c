import { type Budget, NEVER, type Plan } from '../../engine/index.js';
import type { ColumnSource, StreamRun } from '../../pipeline/index.js';
import { RankMerge, type RankMergeState } from './rank-merge.js';
import { rankLines, type RankPart, type RankPartOptions, rankRange, rankRows } from './rank-part.js';
import type { Shard, ShardLines } from './shard-lines.js';
import { openSharedRun, type SharedRun } from './shared-run.js';

/** Ranks the parts of a run, which may be spread over several threads or machines, and merges them. */
export class RunParts {
  /** @param budget of the ranking of all parts */
  constructor(
    readonly run: StreamRun,
    private readonly budget?: Budget,
  ) {}

  /** Opens a run that another thread or machine started, with the same profile. */
  static join(compiled: Plan, shared: SharedRun, abort: AbortSignal = NEVER): RunParts {
    return new RunParts(openSharedRun(compiled, shared, abort));
  }

  /** Evaluates the lines of a shard of JSON Lines. */
  rankLines(lines: ShardLines, options: RankPartOptions): Promise<RankPart> {
    return rankLines(this.run, lines, options);
  }

  /** Evaluates candidates that are objects. The part contains the candidates that may be selected. */
  rankRows(candidates: readonly object[], options: RankPartOptions): Promise<RankPart> {
    return rankRows(this.run, candidates, options);
  }

  /** Evaluates whole row groups of a table. The part has the positions of the rows that may be selected. */
  rankRange(source: ColumnSource, range: Shard, options: RankPartOptions): Promise<RankPart> {
    return rankRange(this.run, source, range, options);
  }

  /** @param state the `state` of an earlier merge of the same run; trusted */
  merge(state?: unknown): RankMerge {
    return new RankMerge(this.run, this.budget, state as RankMergeState | undefined);
  }
}
