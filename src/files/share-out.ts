import { setImmediate as turn } from 'node:timers/promises';
import type { Progress } from '../services/index.js';
import { hire } from './crew.js';
import { faultOf } from './fault.js';
import { type Hand, inOrder } from './in-order.js';
import type { Job } from './job.js';
import { type Shard, shardsOf } from './shards.js';
import type { Answer, Task } from './tasks.js';

/** How threads share a file. */
export interface How {
  readonly job: Job;
  /** How many, this one among them. */
  readonly workers: number;
  /** How many bytes of the file a part has. */
  readonly shard: number;
  readonly abort: AbortSignal;
  readonly progress: Progress | undefined;
}

/** What is done with a part. */
interface Doing<R> {
  /** What another thread is told. */
  task(part: Shard): Task;
  /** The same in this thread, which has other things to do between its parts. */
  here(part: Shard, breathe: () => Promise<void>): Promise<R>;
  /** Once more, when it is its turn: what failed fails here as well, and says which candidate of all it was. */
  again(part: Shard): Promise<R>;
}

/**
 * Has several threads do the same with each part of a file. What comes of them comes in order.
 *
 * @param ahead how many parts may be begun for each thread before what came of the first is taken
 */
export async function* shareOut<R>(
  { job, workers, shard, abort, progress }: How,
  ahead: number,
  doing: Doing<R>,
): AsyncGenerator<R, void> {
  const { file } = job;
  const breathe = async (): Promise<void> => {
    await turn();
    abort.throwIfAborted();
  };
  const here: Hand<Shard, Answer<R>> = async (part) => {
    try {
      return { kind: 'done', outcome: await doing.here(part, breathe) };
    } catch (error) {
      abort.throwIfAborted();
      return { kind: 'failed', fault: faultOf(error) };
    }
  };
  const crew = await hire<R>(workers - 1, job, abort);
  try {
    // A pipeline takes its time to load: this thread has one, and begins.
    const recruit = async (join: (hand: Hand<Shard, Answer<R>>) => void): Promise<void> => {
      join(here);
      await crew.join((work) => join((part) => work(doing.task(part))));
    };
    for await (const [part, answer] of inOrder(shardsOf(file.size, shard), recruit, workers * ahead)) {
      yield answer.kind === 'done' ? answer.outcome : await doing.again(part);
      progress?.({ task: `reading ${file.name}`, unit: 'bytes', done: part.to, total: file.size });
    }
  } finally {
    await crew.end();
  }
}
