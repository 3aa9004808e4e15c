import type { Fault } from './fault.js';
import type { ShardTask } from './judge-shard.js';
import type { ScoreTask } from './score-shard.js';

/** What a thread is told to do. Plain data, as is what it answers. */
export type Task =
  | { readonly kind: 'open' }
  | ({ readonly kind: 'judge' } & ShardTask)
  | ({ readonly kind: 'score' } & ScoreTask);

/** What it answers, whatever happens: what a thread throws is not what arrives. */
export type Answer<R> =
  | { readonly kind: 'opened' }
  | { readonly kind: 'done'; readonly outcome: R }
  | { readonly kind: 'failed'; readonly fault: Fault };
