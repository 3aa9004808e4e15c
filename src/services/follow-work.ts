import { tracingChannel } from 'node:diagnostics_channel';
import type { TraceMessages } from '../contract/index.js';

/** What is called of each piece of work of one kind. */
export interface Follower<Message> {
  /** When it begins, in its own asynchronous context. */
  readonly start?: (message: Message) => void;
  /** When it has ended, or failed: then the message has an `error`. */
  readonly end: (message: Message, milliseconds: number) => void;
}

/**
 * Follows every piece of work of one kind in this thread. The order of events is that of Node's tracing channels; this is
 * what one does with them most often.
 *
 * @returns stops following
 */
export function followWork<Kind extends keyof TraceMessages>(
  kind: Kind,
  { start, end }: Follower<TraceMessages[Kind]>,
): () => void {
  const channel = tracingChannel<unknown, TraceMessages[Kind]>(`assize:${kind}`);
  const began = new WeakMap<TraceMessages[Kind], number>();
  const over = (message: TraceMessages[Kind]): void => {
    const since = began.get(message);
    if (since !== undefined) end(message, message.elsewhere?.milliseconds ?? performance.now() - since);
  };
  const subscribers = {
    start: (message: TraceMessages[Kind]) => {
      start?.(message);
      began.set(message, performance.now());
    },
    end: (message: TraceMessages[Kind]) => void (message.async === true || over(message)),
    asyncStart: () => {},
    asyncEnd: over,
    error: () => {},
  };
  channel.subscribe(subscribers);
  return () => {
    channel.unsubscribe(subscribers);
  };
}
