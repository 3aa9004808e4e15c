import type { Fault } from './fault.js';
import type { ShardOutcome, ShardTask } from './judge-shard.js';

/** What a thread is told to do. Plain data, as is what it answers. */
export type Task = { readonly kind: 'open' } | ({ readonly kind: 'judge' } & ShardTask);

export type Answer =
  | { readonly kind: 'opened' }
  | { readonly kind: 'judged'; readonly outcome: ShardOutcome }
  | { readonly kind: 'failed'; readonly fault: Fault };
