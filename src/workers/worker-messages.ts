import type { RankShardTask } from './rank-shard.js';
import type { ScoreShardTask } from './score-shard.js';
import type { SerializedError } from './serialized-error.js';

/** What a thread is told to do. Plain data, as is what it answers. */
export type WorkerTask =
  | { readonly kind: 'open' }
  | ({ readonly kind: 'judge' } & RankShardTask)
  | ({ readonly kind: 'score' } & ScoreShardTask);

/** What it answers, whatever happens: what a thread throws is not what arrives. */
export type WorkerReply<R> =
  | { readonly kind: 'opened' }
  | { readonly kind: 'done'; readonly outcome: R }
  | { readonly kind: 'failed'; readonly fault: SerializedError };
