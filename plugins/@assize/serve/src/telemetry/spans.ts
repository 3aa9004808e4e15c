import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import { followWork, type TracedOutcome, type TraceMessages } from 'assize';
import { errorType, type OpenTelemetry } from './open-telemetry.js';

/** An open span, and the context that was active before it. */
interface OpenSpan {
  readonly span: Span;
  readonly context: Context;
  readonly outside: Context;
}

/** Creates a span for each piece of work. */
export class Spans {
  readonly #open = new WeakMap<object, OpenSpan>();
  /** The innermost span of this asynchronous context, in case OpenTelemetry has no context manager. */
  readonly #innermost = new AsyncLocalStorage<OpenSpan>();
  readonly #active: ActiveContext;

  constructor(
    private readonly api: OpenTelemetry,
    private readonly tracer: Tracer,
  ) {
    this.#active = new ActiveContext(api);
  }

  /** @returns a function that stops it */
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

  /** The first store that is entered begins the span. */
  #begin<Kind extends keyof TraceMessages>(kind: Kind, message: TraceMessages[Kind]): OpenSpan {
    const known = this.#open.get(message);
    if (known) return known;
    const { context, trace, SpanKind } = this.api;
    const outside = context.active();
    const innermost = this.#innermost.getStore();
    const parent = innermost?.outside === outside ? innermost.context : outside;
    const options = {
      kind: kind === 'model' ? SpanKind.CLIENT : SpanKind.INTERNAL,
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
      span.setStatus({ code: this.api.SpanStatusCode.ERROR, message: text });
    }
    const { elsewhere } = message;
    span.end(elsewhere && elsewhere.began + elsewhere.milliseconds);
  }
}

type AnyKind = keyof TraceMessages;
type Texts = {
  readonly [K in AnyKind]: {
    /** The name of a span. OpenTelemetry requires few different names. */
    readonly name: (message: TraceMessages[K]) => string;
    readonly beginning: (message: TraceMessages[K]) => Attributes;
    readonly ending: (message: TraceMessages[K]) => Attributes;
  };
};

/** The attributes of spans by kind. Model calls follow OpenTelemetry's conventions for generative models. */
const TEXTS: Texts = {
  run: {
    name: ({ call, profile }) => `${call} ${profile}`,
    beginning: ({ call, profile }) => ({ 'assize.profile': profile, 'assize.call': call }),
    ending: ({ candidates, refused, pruned, degraded }) => ({
      ...known('assize.candidates', candidates),
      ...known('assize.refused', refused),
      ...known('assize.pruned', pruned),
      ...(degraded && degraded.length > 0 && { 'assize.degraded': degraded.map(({ entry }) => entry) }),
    }),
  },
  stage: {
    name: ({ stage }) => stage,
    beginning: ({ profile, stage, stages, candidates }) => ({
      'assize.profile': profile,
      'assize.stage': stage,
      'assize.stages': [...stages],
      ...known('assize.candidates', candidates),
    }),
    ending: () => ({}),
  },
  prepare: {
    name: ({ entry }) => `prepare ${entry}`,
    beginning: ({ profile, stage, entry, candidates }) => ({
      'assize.profile': profile,
      'assize.stage': stage,
      'assize.entry': entry,
      ...known('assize.candidates', candidates),
    }),
    ending: () => ({}),
  },
  model: {
    name: ({ kind, model }) => `${kind} ${model}`,
    beginning: ({ kind, model, texts }) => ({
      'gen_ai.operation.name': kind,
      'gen_ai.request.model': model,
      ...known('assize.texts', texts),
    }),
    ending: ({ answeredBy, tokens }) => ({
      ...known('gen_ai.response.model', answeredBy),
      ...known('assize.tokens', tokens),
    }),
  },
};

const known = (name: string, value: number | string | undefined): Attributes =>
  value === undefined ? {} : { [name]: value };

const spanName = <K extends AnyKind>(kind: K, message: TraceMessages[K]): string => TEXTS[kind].name(message);

const beginning = <K extends AnyKind>(kind: K, message: TraceMessages[K]): Attributes => TEXTS[kind].beginning(message);

const ending = <K extends AnyKind>(kind: K, message: TraceMessages[K]): Attributes => TEXTS[kind].ending(message);

/**
 * OpenTelemetry's active context as a store of Node, so that a tracing channel can enter it. Spans that begin inside a
 * piece of work, such as an HTTP request of another instrumentation, then have that work's span as their parent.
 */
class ActiveContext extends AsyncLocalStorage<Context> {
  constructor(private readonly api: Pick<OpenTelemetry, 'context'>) {
    super();
  }

  override getStore(): Context {
    return this.api.context.active();
  }

  override run<R>(store: Context, callback: () => R): R;
  override run<R, Args extends unknown[]>(store: Context, callback: (...args: Args) => R, ...args: Args): R;
  override run<R, Args extends unknown[]>(store: Context, callback: (...args: Args) => R, ...args: Args): R {
    return this.api.context.with(store, () => callback(...args));
  }
}
