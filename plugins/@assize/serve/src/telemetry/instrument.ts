/**
 * Reports runs as spans and metrics of OpenTelemetry, or to a custom function.
 *
 * @module
 */
import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import { followMetrics } from './metrics.js';
import { importOpenTelemetry } from './open-telemetry.js';
import { Spans } from './spans.js';

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
 * @throws Error if `@opentelemetry/api` is not installed
 */
export async function instrument({ tracerProvider, meterProvider }: Providers = {}): Promise<() => void> {
  const api = await importOpenTelemetry();
  const spans = new Spans(api, (tracerProvider ?? api.trace).getTracer('assize'));
  const stops = [
    ...(['run', 'stage', 'prepare', 'model'] as const).map((kind) => spans.follow(kind)),
    followMetrics((meterProvider ?? api.metrics).getMeter('assize'), api.ValueType.INT),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
