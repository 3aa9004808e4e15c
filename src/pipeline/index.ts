/**
 * The exports of `pipeline` for other modules.
 *
 * @module
 */

export { type BrowserPipelineOptions, createBrowserPipeline } from './browser.js';
export {
  type Aggregates,
  aggregatesOf,
  type CollectedPart,
  Collector,
  EMPTY_AGGREGATES,
  mergeAggregates,
  type RetainedRow,
  shiftAggregates,
  TopKCollector,
  withExamples,
} from './collector.js';
export { type GroupBatch, GroupBatches, ranksTogether } from './group-batch.js';
export type { ServiceContainer } from './container.js';
export {
  type DescribedClass,
  type DescribedPreset,
  type DescribedProfile,
  describePresets,
  describeProfile,
  type LanguageHost,
  shippedPluginNames,
} from './language.js';
export { Pipeline, rankPartitionChunks } from './pipeline.js';
export type { Partition, PartitionContext, PartitionPart, RankPartitionsOptions } from './rank-partitions.js';
export {
  chunksOfTable,
  type ColumnSource,
  rankChunks,
  rankCollected,
  rankCollectedRows,
  type RankStreamOptions,
  rankTable,
} from './rank-stream.js';
export { createSmallPipeline } from './small-browser.js';
export { isScoredInFull, scoredRows, ScoreStream, type ScoreStreamOptions } from './score-stream.js';
export {
  checkBounded,
  CHUNK_SIZE,
  completePart,
  evaluateChunk,
  openStreamRun,
  retainedCount,
  type StreamCounts,
  type StreamRun,
  traceRanking,
  traceRows,
  unboundedProblems,
  yieldToEventLoop,
} from './stream-run.js';
export { type StreamResult, topOfRanking, topOfStream, TopRanking } from './top-ranking.js';
