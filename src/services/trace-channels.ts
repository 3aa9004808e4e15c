import { AsyncLocalStorage } from 'node:async_hooks';
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import type { TracedOutcome, TracedWork, TraceMessages, Tracer } from '../sdk/index.js';

/** Kept in a constant, because Node releases a channel without references. */
const CHANNELS: { readonly [Kind in keyof TraceMessages]: TracingChannel<unknown, TraceMessages[Kind]> } = {
  run: tracingChannel('assize:run'),
  stage: tracingChannel('assize:stage'),
  prepare: tracingChannel('assize:prepare'),
  model: tracingChannel('assize:model'),
};
const { run, stage, prepare } = CHANNELS;

/**
 * The tracing channels of `node:diagnostics_channel`: `tracing:assize:run:start` and so on, with the events of Node's own
 * `TracingChannel`. A subscriber that throws does not affect the run: Node reports an uncaught exception.
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
  /** The asynchronous context of the stores that are bound to `start`, for later events. A snapshot costs microseconds. */
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

/** The callbacks for each piece of work of one kind. */
export interface Follower<Message> {
  /** Called when the work begins, in its own asynchronous context. */
  readonly start?: (message: Message) => void;
  /** Called when the work has ended. The message has an `error` if the work failed. */
  readonly end: (message: Message, milliseconds: number) => void;
}

/**
 * Subscribes to every piece of work of one kind in this thread, and measures it. Events have the order of Node's tracing
 * channels.
 *
 * @returns a function that unsubscribes
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
