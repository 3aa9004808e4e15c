import { AssizeError } from '../../base/index.js';
import { importOptional, type OptionalPackage } from '../../services/index.js';

// The part of `@opentelemetry/api` that is used: the package, and with it its types, may be missing.

/** Values of spans and labels of metrics. */
export type Attributes = Readonly<Record<string, string | number | string[]>>;

/** An immutable map that OpenTelemetry hands on. */
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
  /** @param time in milliseconds since 1970; now when not given */
  end(time?: number): void;
}

/** What a span begins with; `startTime` in milliseconds since 1970, now when not given. */
interface SpanOptions {
  readonly kind: number;
  readonly attributes: Attributes;
  readonly startTime?: number;
}

export interface SpanTracer {
  startSpan(name: string, options: SpanOptions, context: Context): Span;
}

/** Gives tracers: `trace` of `@opentelemetry/api`, or a provider of an SDK. */
export interface TracerProvider {
  getTracer(name: string): SpanTracer;
}

export interface Meter {
  createHistogram(name: string, options: object): { record(value: number, labels: Attributes): void };
  createCounter(name: string, options: object): { add(value: number, labels: Attributes): void };
}

/** Gives meters: `metrics` of `@opentelemetry/api`, or a provider of an SDK. */
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

/** Numbers of OpenTelemetry's specification. */
export const SPAN_KIND = { internal: 0, client: 2 } as const;
export const STATUS_ERROR = 2;

const API: OptionalPackage<OpenTelemetry> = {
  name: '@opentelemetry/api',
  neededBy: 'assize/telemetry',
  part: 'trace, metrics and context',
  isLibrary: (module): module is OpenTelemetry =>
    typeof module === 'object' && module !== null && 'trace' in module && 'metrics' in module && 'context' in module,
};

/** @throws OptionalPackageError where it is not installed, which says how to install it */
export const importOpenTelemetry = (load: () => Promise<unknown>): Promise<OpenTelemetry> => importOptional(API, load);

/** What kind of error it is, in few values: the code of its first problem, or the name of its class. */
export function errorType(error: unknown): string {
  if (error instanceof AssizeError) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}
