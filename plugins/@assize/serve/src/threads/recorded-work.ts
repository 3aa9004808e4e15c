import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { followWork, type TraceMessages } from 'assize';
import { traceChannels } from 'assize/internal';
import { fromSentError, type SentError, toSentError } from './sent-error.js';

type Kind = keyof TraceMessages;

/** A finished piece of work with its parts, as plain data. */
export interface RecordedWork<K extends Kind = Kind> {
  readonly kind: K;
  readonly message: TraceMessages[K];
  readonly failure: SentError | undefined;
  readonly parts: readonly RecordedWork[];
}

/** A piece of work in progress. Work that has not ended with the recording is dropped. */
interface OpenWork {
  /** In milliseconds on the clock of this thread, which also measures the end, so that parts lie inside their whole. */
  readonly began: number;
  readonly parts: RecordedWork[];
}

/** Whether this thread has subscribers to traced work. */
export const isWorkFollowed = (): boolean => traceChannels.isFollowed() || traceChannels.isFollowed('model');

/**
 * Runs a function and records its traced work, for subscribers in another thread.
 *
 * @param all finished work is added here, successful or not
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
    const siblings = innermost.getStore()?.parts ?? []; // work of an earlier, aborted request is dropped
    open.set(message, { work, siblings });
    return work;
  });
  const stop = followWork(kind, {
    end(message) {
      const known = open.get(message);
      if (!known) return;
      const { began, parts } = known.work;
      const failure = 'error' in message ? toSentError(message.error) : undefined;
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

/** Publishes work of another thread in this one, inside the active work. */
export function publishWork({ kind, message, failure, parts }: RecordedWork): void {
  traceChannels.begin(kind, message, (work) => {
    for (const part of parts) publishWork(part);
    work.end(failure && { error: fromSentError(failure) });
  });
}
