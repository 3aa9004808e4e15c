import { AsyncLocalStorage } from 'node:async_hooks';
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import type { TracedOutcome, TracedWork, TraceMessages, Tracer } from '../contract/index.js';

/** Held here: Node forgets a channel that nothing holds. */
const CHANNELS: { readonly [Kind in keyof TraceMessages]: TracingChannel<unknown, TraceMessages[Kind]> } = {
  run: tracingChannel('assize:run'),
  stage: tracingChannel('assize:stage'),
  prepare: tracingChannel('assize:prepare'),
  model: tracingChannel('assize:model'),
};
const { run, stage, prepare } = CHANNELS;

/**
 * The tracing channels of `node:diagnostics_channel`: `tracing:assize:run:start` and so on, with the events of Node's own
 * `TracingChannel`. A subscriber that throws harms no run: Node reports it as an uncaught exception.
 */
export const traceChannels: Tracer = {
  isFollowed: (kind) =>
    kind === undefined
      ? run.hasSubscribers || stage.hasSubscribers || prepare.hasSubscribers
      : CHANNELS[kind].hasSubscribers,
  begin(kind, message, first) {
    const channel = CHANNELS[kind];
    return channel.start.runStores(message, () => first(new ChannelWork(channel, message)));
  },
};

class ChannelWork<Message extends TracedOutcome & object> implements TracedWork {
  /** The asynchronous context that the stores bound to `start` made, for what comes later: keeping it takes microseconds. */
  #context: (<R>(part: () => R) => R) | undefined;

  constructor(
    private readonly channel: TracingChannel<unknown, Message>,
    private readonly message: Message,
  ) {}

  wait(): void {
    this.#context = AsyncLocalStorage.snapshot();
    this.message.async = true;
    this.channel.end.publish(this.message);
  }

  within<R>(part: () => R): R {
    return this.#context ? this.#context(part) : part();
  }

  end(failure?: { readonly error: unknown }): void {
    this.within(() => this.#publishEnd(failure));
  }

  #publishEnd(failure: { readonly error: unknown } | undefined): void {
    const { channel, message } = this;
    if (failure) {
      message.error = failure.error;
      channel.error.publish(message);
    }
    if (message.async === true) {
      channel.asyncStart.publish(message);
      channel.asyncEnd.publish(message);
    } else channel.end.publish(message);
  }
}

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
