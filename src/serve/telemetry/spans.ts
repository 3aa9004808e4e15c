import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import type { TracedOutcome, TraceMessages } from '../../contract/trace.js';
import { followWork } from '../../services/trace-channels.js';
import { ActiveContext } from './active-context.js';
import { errorType } from './error-type.js';
import {
  type Attributes,
  type Context,
  type OpenTelemetry,
  SPAN_KIND,
  type Span,
  type SpanTracer,
  STATUS_ERROR,
} from './open-telemetry.js';
import { beginning, ending, spanName } from './span-texts.js';

/** A span that is under way, and the context that was active outside it. */
interface OpenSpan {
  readonly span: Span;
  readonly context: Context;
  readonly outside: Context;
}

/** Makes a span of each piece of work. */
export class Spans {
  readonly #open = new WeakMap<object, OpenSpan>();
  /** The innermost span in this asynchronous context, where OpenTelemetry has no context manager that would know it. */
  readonly #innermost = new AsyncLocalStorage<OpenSpan>();
  readonly #active: ActiveContext;

  constructor(
    private readonly api: OpenTelemetry,
    private readonly tracer: SpanTracer,
  ) {
    this.#active = new ActiveContext(api);
  }

  /** @returns stops */
  follow<Kind extends keyof TraceMessages>(kind: Kind): () => void {
    const { start } = tracingChannel<unknown, TraceMessages[Kind]>(`assize:${kind}`);
    start.bindStore(this.#innermost, (message) => this.#begin(kind, message));
    start.bindStore(this.#active, (message) => this.#begin(kind, message).context);
    const stop = followWork(kind, { end: (message) => this.#end(message, ending(kind, message)) });
    return () => {
      start.unbindStore(this.#innermost);
      start.unbindStore(this.#active);
      stop();
    };
  }

  /** Whichever store asks first begins the span. */
  #begin<Kind extends keyof TraceMessages>(kind: Kind, message: TraceMessages[Kind]): OpenSpan {
    const known = this.#open.get(message);
    if (known) return known;
    const { context, trace } = this.api;
    const outside = context.active();
    const innermost = this.#innermost.getStore();
    const parent = innermost?.outside === outside ? innermost.context : outside;
    const options = {
      kind: kind === 'model' ? SPAN_KIND.client : SPAN_KIND.internal,
      attributes: beginning(kind, message),
      ...(message.elsewhere && { startTime: message.elsewhere.began }),
    };
    const span = this.tracer.startSpan(spanName(kind, message), options, parent);
    const open = { span, outside, context: trace.setSpan(parent, span) };
    this.#open.set(message, open);
    return open;
  }

  #end(message: TracedOutcome & object, attributes: Attributes): void {
    const span = this.#open.get(message)?.span;
    if (!span) return;
    span.setAttributes(attributes);
    if ('error' in message) {
      const { error } = message;
      const text = error instanceof Error ? error.message : String(error);
      span.setAttributes({ 'error.type': errorType(error) });
      span.recordException(error instanceof Error ? error : text);
      span.setStatus({ code: STATUS_ERROR, message: text });
    }
    const { elsewhere } = message;
    span.end(elsewhere && elsewhere.began + elsewhere.milliseconds);
  }
}
