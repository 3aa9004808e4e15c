import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { EMBEDDERS, type Embedders, defineScorer, type Run, type Score, z } from 'assize/sdk';
import { instrument } from '@assize/serve/telemetry';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

/** Spans and metrics in memory. */
async function observe() {
  const spanExporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spanExporter)] });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const stop = await instrument({ tracerProvider, meterProvider });
  cleanups.push(stop, () => meterProvider.shutdown());
  return {
    tracer: tracerProvider.getTracer('application'),
    spans: () => spanExporter.getFinishedSpans(),
    async metrics() {
      await reader.forceFlush();
      const all =
        metricExporter
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      return new Map(all.map(({ descriptor, dataPoints }) => [descriptor.name, { descriptor, dataPoints }]));
    },
  };
}

/** Each span below its parent: `rank › score › prepare slow`. */
function paths(spans: readonly ReadableSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const path = (span: ReadableSpan): string => {
    const parent = byId.get(span.parentSpanContext?.spanId ?? '');
    return parent ? `${path(parent)} › ${span.name}` : span.name;
  };
  return spans.map(path);
}

class SlowScorer {
  static readonly meta = defineScorer({
    summary: 'Waits.',
    params: z.strictObject({ fails: z.boolean().default(false) }),
  });
  static readonly inject = [EMBEDDERS];
  constructor(private readonly embedders: Embedders) {}
  async prepare({ fails }: { fails: boolean }, run: Run<{ id: string; n: number }>): Promise<Score<{ n: number }>> {
    await wait(1);
    if (fails) throw new TypeError('it is down');
    const texts = run.candidates.map(({ id }) => `${id} ${Math.random()}`);
    await this.embedders.open({ name: 'lexical' }).embed(texts);
    trace.getTracer('inside').startSpan('inside').end();
    return ({ n }) => n;
  }
}

const candidates = ['a', 'b', 'c'].map((id, n) => ({ id, n }));
const profile = (params: { readonly fails?: boolean } = {}, onError?: number): ProfileInput => ({
  name: 'team',
  tier1_scorers: [{ id: 'zero', expr: 'candidate.n == 0' }],
  tier2_scorers: [{ id: 'slow', class: 'SlowScorer', params, ...(onError !== undefined && { on_error: onError }) }],
});

/** Both ways to know the parent span: OpenTelemetry's context manager, and an application without one. */
describe.each([true, false])('with a context manager: %s', (managed) => {
  const manage = (): void => {
    if (!managed) return;
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    cleanups.push(() => context.disable());
  };

  test('run, stages, preparations and models are nested, and two concurrent runs are separate', async () => {
    manage();
    const seen = await observe();
    const pipeline = await createPipeline(profile(), { units: { SlowScorer } });
    await Promise.all([pipeline.rank(candidates), pipeline.rank(candidates)]);
    const spans = seen.spans();
    const once = [
      'rank team › veto',
      'rank team › score › prepare slow › embeddings lexical:512',
      'rank team › score › prepare slow',
      'rank team › score',
      'rank team › select',
      'rank team',
    ];
    const found = paths(spans);
    expect(once.map((path) => found.filter((one) => one === path).length)).toEqual(once.map(() => 2));
    expect(found).toHaveLength(12);
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(2);
  });

  test('a run is inside the active span of its caller', async () => {
    manage();
    const seen = await observe();
    const pipeline = await createPipeline(profile(), { units: { SlowScorer } });
    await seen.tracer.startActiveSpan('request', async (span) => {
      await pipeline.rank(candidates);
      span.end();
    });
    expect(paths(seen.spans()).at(-2)).toBe(managed ? 'request › rank team' : 'rank team');
  });
});

test('a foreign span that is created inside work is its child', async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  cleanups.push(
    () => context.disable(),
    () => trace.disable(),
    await instrument(),
  );
  const pipeline = await createPipeline(profile(), { units: { SlowScorer } });
  await pipeline.rank(candidates);
  expect(paths(exporter.getFinishedSpans())).toContain('rank team › score › prepare slow › inside');
});

test('attributes: the profile, the stage, the entry and counts, and no id of a candidate', async () => {
  const seen = await observe();
  const pipeline = await createPipeline(profile(), { units: { SlowScorer } });
  await pipeline.rank(candidates);
  const attributes = Object.fromEntries(seen.spans().map((span) => [span.name, span.attributes]));
  expect(attributes['rank team']).toEqual({
    'assize.profile': 'team',
    'assize.call': 'rank',
    'assize.candidates': 3,
    'assize.refused': 1,
    'assize.pruned': 0,
  });
  expect(attributes['prepare slow']).toEqual({
    'assize.profile': 'team',
    'assize.stage': 'score',
    'assize.entry': 'slow',
    'assize.candidates': 2,
  });
  expect(attributes['embeddings lexical:512']).toEqual({
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.request.model': 'lexical:512',
    'assize.texts': 2,
  });
});

test('a failure is recorded at its place, and on the run only if that fails', async () => {
  const seen = await observe();
  const degraded = await createPipeline(profile({ fails: true }, 0.5), { units: { SlowScorer } });
  await degraded.rank(candidates);
  const failing = await createPipeline(profile({ fails: true }), { units: { SlowScorer } });
  await expect(failing.rank(candidates)).rejects.toThrow('it is down');
  const status = seen.spans().map(({ name, status: { code, message } }) => [name, code, message]);
  const fails = [2, 'it is down'];
  expect(status.filter(([name]) => name === 'prepare slow')).toEqual([
    ['prepare slow', ...fails],
    ['prepare slow', ...fails],
  ]);
  const runs = seen.spans().filter(({ name }) => name === 'rank team');
  expect(runs.map((span) => [span.status.code, span.attributes['error.type'], span.events.length])).toEqual([
    [0, undefined, 0],
    [2, 'ASZ501', 1],
  ]);
  expect(runs[0]?.attributes['assize.degraded']).toEqual(['slow']);
});

test('metrics: durations in seconds, and counts, by few labels', async () => {
  const seen = await observe();
  const pipeline = await createPipeline(profile({ fails: true }, 0.5), { units: { SlowScorer } });
  const start = performance.now();
  await pipeline.rank(candidates);
  await pipeline.rank(candidates);
  const seconds = (performance.now() - start) / 1000;
  const all = await seen.metrics();
  const counted = (name: string) =>
    all
      .get(name)
      ?.dataPoints.map(({ attributes, value }) => [
        attributes,
        typeof value === 'number' ? value : (value as Histogram).count,
      ]);
  const team = { 'assize.profile': 'team' };
  const slow = { ...team, 'assize.stage': 'score', 'assize.entry': 'slow' };
  expect(counted('assize.run.duration')).toEqual([[{ ...team, 'assize.call': 'rank' }, 2]]);
  expect(counted('assize.stage.duration')).toEqual(
    ['veto', 'score', 'select'].map((stage) => [{ ...team, 'assize.stage': stage }, 2]),
  );
  expect(counted('assize.scorer.duration')).toEqual([[{ ...slow, 'error.type': 'TypeError' }, 2]]);
  expect(counted('assize.candidates')).toEqual([[team, 6]]);
  expect(counted('assize.refused')).toEqual([[team, 2]]);
  expect(counted('assize.degraded')).toEqual([[slow, 4]]); // two candidates in each of two runs
  expect(counted('assize.pruned')).toEqual([[team, 0]]);
  expect(all.get('assize.run.duration')?.descriptor.unit).toBe('s');
  const points = all.get('assize.run.duration')?.dataPoints as DataPoint<Histogram>[] | undefined;
  expect(points?.[0]?.value.sum).toBeLessThanOrEqual(seconds);
});

test('when stopped, reports nothing more; without providers it costs and prints nothing', async () => {
  const seen = await observe();
  for (const clean of cleanups.splice(0)) await clean();
  const pipeline = await createPipeline(profile(), { units: { SlowScorer } });
  await pipeline.rank(candidates);
  expect(seen.spans()).toEqual([]);
  cleanups.push(await instrument(), () => metrics.disable());
  expect((await pipeline.rank(candidates)).selected).toHaveLength(2);
});
