/**
 * What runs tell others: spans and metrics of OpenTelemetry, or a function of one's own.
 *
 * @module
 */
import { rethrow } from '../../services/index.js';
import { followMetrics } from './metrics.js';
import { importOpenTelemetry, type MeterProvider, type TracerProvider } from './open-telemetry.js';
import { Spans } from './spans.js';

/** Which providers are used; those that the application has registered when not given. */
export interface Providers {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly meterProvider?: MeterProvider | undefined;
}

/**
 * Makes spans and metrics of OpenTelemetry of every run in this thread, whichever pipeline it is of. Registered providers
 * are found whenever they are registered; called twice, everything is reported twice.
 *
 * ```ts
 * const stop = await instrument();
 * ```
 *
 * @returns stops it; spans under way are then never ended
 * @throws Error where `@opentelemetry/api` is not installed
 */
export async function instrument({ tracerProvider, meterProvider }: Providers = {}): Promise<() => void> {
  const api = await importOpenTelemetry(() => import('@opentelemetry/api').catch(rethrow));
  const spans = new Spans(api, (tracerProvider ?? api.trace).getTracer('assize'));
  const stops = [
    ...(['run', 'stage', 'prepare', 'model'] as const).map((kind) => spans.follow(kind)),
    followMetrics((meterProvider ?? api.metrics).getMeter('assize')),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
