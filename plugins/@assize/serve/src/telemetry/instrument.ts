/**
 * Reports runs as spans and metrics of OpenTelemetry.
 *
 * @module
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import {
  type Attributes,
  type Context,
  context,
  type Meter,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
  type TracerProvider,
  ValueType,
} from '@opentelemetry/api';
import { AssizeError, followWork, type TracedOutcome, type TraceMessages } from 'assize';

/** The providers to use; by default those that the application has registered. */
export interface Providers {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly meterProvider?: MeterProvider | undefined;
}

/**
 * Creates spans and metrics of OpenTelemetry for every run of every pipeline in this thread. Providers may be registered
 * later. If you call this twice, everything is reported twice.
 *
 * ```ts
 * const stop = await instrument();
 * ```
 *
 * @returns a function that stops it; open spans are then never ended
 */
export async function instrument({ tracerProvider, meterProvider }: Providers = {}): Promise<() => void> {
  const spans = new Spans((tracerProvider ?? trace).getTracer('assize'));
  const stops = [
    ...(['run', 'stage', 'prepare', 'model'] as const).map((kind) => spans.follow(kind)),
    followMetrics((meterProvider ?? metrics).getMeter('assize')),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** An open span, its own context, and the context that was active before it. */
interface OpenSpan {
  readonly span: Span;
  readonly inside: Context;
  readonly outside: Context;
}

/** Creates a span for each piece of work. */
class Spans {
  readonly #open = new WeakMap<object, OpenSpan>();
  /** The innermost span of this asynchronous context, in case OpenTelemetry has no context manager. */
  readonly #innermost = new AsyncLocalStorage<OpenSpan>();
  readonly #active = new ActiveContext();

  constructor(private readonly tracer: Tracer) {}

  /** @returns a function that stops it */
  follow<Kind extends keyof TraceMessages>(kind: Kind): () => void {
    const { start } = tracingChannel<unknown, TraceMessages[Kind]>(`assize:${kind}`);
    start.bindStore(this.#innermost, (message) => this.#begin(kind, message));
    start.bindStore(this.#active, (message) => this.#begin(kind, message).inside);
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
    const outside = context.active();
    const innermost = this.#innermost.getStore();
    const parent = innermost?.outside === outside ? innermost.inside : outside;
    const options = {
      kind: kind === 'model' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: beginning(kind, message),
      ...(message.elsewhere && { startTime: message.elsewhere.began }),
    };
    const span = this.tracer.startSpan(spanName(kind, message), options, parent);
    const open = { span, outside, inside: trace.setSpan(parent, span) };
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
      span.setStatus({ code: SpanStatusCode.ERROR, message: text });
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
  override getStore(): Context {
    return context.active();
  }

  override run<R>(store: Context, callback: () => R): R;
  override run<R, Args extends unknown[]>(store: Context, callback: (...args: Args) => R, ...args: Args): R;
  override run<R, Args extends unknown[]>(store: Context, callback: (...args: Args) => R, ...args: Args): R {
    return context.with(store, () => callback(...args));
  }
}

/** The bounds of durations, in seconds: a compiled run takes microseconds, and a run with models takes seconds. */
const BOUNDS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Measures all work. Labels have few values: the name of the profile, the call, the stage, the id of an entry, and the
 * kind of error, but never the id of a candidate.
 *
 * @returns a function that stops it
 */
function followMetrics(meter: Meter): () => void {
  const duration = (name: string, description: string) => {
    const options = { description, unit: 's', advice: { explicitBucketBoundaries: BOUNDS } };
    const histogram = meter.createHistogram(name, options);
    return (message: TracedOutcome, milliseconds: number, labels: Attributes): void =>
      histogram.record(milliseconds / 1000, { ...labels, ...errorLabel(message) });
  };
  const counter = (name: string, description: string) =>
    meter.createCounter(name, { description, unit: '{candidate}', valueType: ValueType.INT });

  const runs = duration('assize.run.duration', 'Duration from the call of a method to its result.');
  const stages = duration('assize.stage.duration', 'Duration of a stage of a run.');
  const entries = duration(
    'assize.scorer.duration',
    'Duration of preparing an entry for a run; entries that compile are not measured.',
  );
  const candidates = counter('assize.candidates', 'Given or generated candidates of runs.');
  const refused = counter('assize.refused', 'Candidates refused by a veto, a scorer or a rule.');
  const pruned = counter('assize.pruned', 'Candidates on which an expensive scorer did not run.');
  const degraded = counter('assize.degraded', 'Failures that did not fail their run, by entry.');

  const stops = [
    followWork('run', {
      end(message, milliseconds) {
        const { profile, call } = message;
        runs(message, milliseconds, { 'assize.profile': profile, 'assize.call': call });
        const labels = { 'assize.profile': profile };
        candidates.add(message.candidates ?? 0, labels);
        refused.add(message.refused ?? 0, labels);
        pruned.add(message.pruned ?? 0, labels);
        for (const { entry, stage, count } of message.degraded ?? []) {
          degraded.add(count, { ...labels, 'assize.stage': stage, 'assize.entry': entry });
        }
      },
    }),
    followWork('stage', {
      end: (message, milliseconds) =>
        stages(message, milliseconds, { 'assize.profile': message.profile, 'assize.stage': message.stage }),
    }),
    followWork('prepare', {
      end: (message, milliseconds) =>
        entries(message, milliseconds, {
          'assize.profile': message.profile,
          'assize.stage': message.stage,
          'assize.entry': message.entry,
        }),
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const errorLabel = (message: TracedOutcome): Attributes =>
  'error' in message ? { 'error.type': errorType(message.error) } : {};

/** The kind of an error with few values: the code of its first problem, or the name of its class. */
function errorType(error: unknown): string {
  if (error instanceof AssizeError) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}
