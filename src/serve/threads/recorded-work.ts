import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import type { TraceMessages } from '../../sdk/index.js';
import { followWork, traceChannels } from '../../services/node.js';
import { deserializeError, type SerializedError, serializeError } from '../../scale/threads/index.js';

type Kind = keyof TraceMessages;

/** A piece of work that has ended, with those that were done inside it: plain data. */
export interface RecordedWork<K extends Kind = Kind> {
  readonly kind: K;
  readonly message: TraceMessages[K];
  readonly failure: SerializedError | undefined;
  readonly parts: readonly RecordedWork[];
}

/** A piece of work under way; what has not ended when the recording does is no part of it. */
interface OpenWork {
  /** On the clock of this thread, in milliseconds: that which its end is read from, so that the times of a part lie inside its whole's. */
  readonly began: number;
  readonly parts: RecordedWork[];
}

/** Whether anybody in this thread follows runs, or what is done in them. */
export const isWorkFollowed = (): boolean => traceChannels.isFollowed() || traceChannels.isFollowed('model');

/**
 * Does something, and records what is published of it, for those who follow work in another thread.
 *
 * @param all what has ended is added here, whatever came of it
 */
export async function recordWork<R>(all: RecordedWork[], work: () => Promise<R>): Promise<R> {
  const innermost = new AsyncLocalStorage<OpenWork>();
  const stops = (['run', 'stage', 'prepare', 'model'] as const).map((kind) => record(kind, innermost));
  try {
    return await innermost.run({ began: performance.now(), parts: all }, work);
  } finally {
    for (const stop of stops) stop();
  }
}

function record<K extends Kind>(kind: K, innermost: AsyncLocalStorage<OpenWork>): () => void {
  const open = new WeakMap<TraceMessages[K], { readonly work: OpenWork; readonly siblings: RecordedWork[] }>();
  const { start } = tracingChannel<unknown, TraceMessages[K]>(`assize:${kind}`);
  start.bindStore(innermost, (message) => {
    const work: OpenWork = { began: performance.now(), parts: [] };
    const siblings = innermost.getStore()?.parts ?? []; // dropped: of an earlier request, which was aborted and goes on
    open.set(message, { work, siblings });
    return work;
  });
  const stop = followWork(kind, {
    end(message) {
      const known = open.get(message);
      if (!known) return;
      const { began, parts } = known.work;
      const failure = 'error' in message ? serializeError(message.error) : undefined;
      const elsewhere = { began: performance.timeOrigin + began, milliseconds: performance.now() - began };
      const sent = { ...message, elsewhere };
      delete sent.async;
      delete sent.error; // an error of any class cannot be sent
      known.siblings.push({ kind, message: sent, failure, parts });
    },
  });
  return () => {
    start.unbindStore(innermost);
    stop();
  };
}

/** Publishes work of another thread in this one, inside of whatever is active here. */
export function publishWork({ kind, message, failure, parts }: RecordedWork): void {
  traceChannels.begin(kind, message, (work) => {
    for (const part of parts) publishWork(part);
    work.end(failure && { error: deserializeError(failure) });
  });
}
