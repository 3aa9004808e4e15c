import { AssizeError } from '../../base/index.js';
import { hasParts, importOptional, type OptionalPackage } from '../../services/index.js';

// The part of `@opentelemetry/api` that is used. Declared here, since the package and its types may be missing.

/** Values of spans and labels of metrics. */
export type Attributes = Readonly<Record<string, string | number | string[]>>;

/** An immutable map that OpenTelemetry propagates. */
export interface Context {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): Context;
  deleteValue(key: symbol): Context;
}

export interface Span {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { readonly code: number; readonly message: string }): unknown;
  recordException(exception: Error | string): void;
  /** @param time in milliseconds since 1970; now by default */
  end(time?: number): void;
}

/** The options of a new span. `startTime` is in milliseconds since 1970, now by default. */
interface SpanOptions {
  readonly kind: number;
  readonly attributes: Attributes;
  readonly startTime?: number;
}

export interface SpanTracer {
  startSpan(name: string, options: SpanOptions, context: Context): Span;
}

/** Creates tracers: `trace` of `@opentelemetry/api`, or a provider of an SDK. */
export interface TracerProvider {
  getTracer(name: string): SpanTracer;
}

export interface Meter {
  createHistogram(name: string, options: object): { record(value: number, labels: Attributes): void };
  createCounter(name: string, options: object): { add(value: number, labels: Attributes): void };
}

/** Creates meters: `metrics` of `@opentelemetry/api`, or a provider of an SDK. */
export interface MeterProvider {
  getMeter(name: string): Meter;
}

export interface OpenTelemetry {
  readonly context: {
    active(): Context;
    with<R>(context: Context, work: () => R): R;
  };
  readonly trace: TracerProvider & { setSpan(context: Context, span: Span): Context };
  readonly metrics: MeterProvider;
}

/** Constants of OpenTelemetry's specification. */
export const SPAN_KIND = { internal: 0, client: 2 } as const;
export const STATUS_ERROR = 2;

const API: OptionalPackage<OpenTelemetry> = {
  name: '@opentelemetry/api',
  neededBy: 'assize/telemetry',
  part: 'trace, metrics and context',
  isLibrary: hasParts<OpenTelemetry>('trace', 'metrics', 'context'),
};

/** @throws OptionalPackageError if it is not installed, with the install command */
export const importOpenTelemetry = (load: () => Promise<unknown>): Promise<OpenTelemetry> => importOptional(API, load);

/** The kind of an error with few values: the code of its first problem, or the name of its class. */
export function errorType(error: unknown): string {
  if (error instanceof AssizeError) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}
