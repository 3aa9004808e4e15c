import { context, isSpanContextValid, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { readTraces } from 'assize/agents';
import { type EvaluationEvent, type EvaluationOptions, reportEvaluations } from '@assize/serve/telemetry';

/** The traces of a recorded log. */
const tracesOf = (file: string) => {
  const text = readFileSync(new URL(`../../../../../test/fixtures/traces/${file}`, import.meta.url), 'utf8');
  const from = file.startsWith('otlp') ? 'otlp' : 'openai-log';
  const records = text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  return readTraces(records, { from }).traces;
};

/** A logger that keeps what it is given. */
function keeping() {
  const events: EvaluationEvent[] = [];
  return { events, logger: { emit: (event: EvaluationEvent) => void events.push(event) } };
}

const GRADES = {
  name: 'grades',
  tier1_scorers: [{ id: 'secret', expr: 'candidate.secret' }],
  tier2_scorers: [
    { id: 'clear', expr: 'candidate.clear', on_absent: 0.5 },
    { id: 'parsed', expr: 'double(candidate.text)', on_error: 0.25 },
  ],
  select: { top: 1 },
};

const ANSWERS = [
  { id: 'a', clear: 0.75, text: '0.25' },
  { id: 'b', text: 'none' },
  { id: 'c', secret: true },
];

async function report(options: Omit<EvaluationOptions<object>, 'logger'> = {}) {
  const ranking = await (await createPipeline<object>(GRADES)).rank(ANSWERS);
  const { events, logger } = keeping();
  const count = reportEvaluations(ranking, { logger, ...options });
  expect(events).toHaveLength(count);
  expect(new Set(events.map(({ eventName, timestamp }) => `${eventName} ${timestamp}`))).toEqual(
    new Set([`gen_ai.evaluation.result ${ranking.now}`]),
  );
  return events.map(({ attributes }) => attributes);
}

test('reports an event for each ranked and refused candidate', async () => {
  expect(await report()).toEqual([
    {
      'gen_ai.evaluation.name': 'grades',
      'gen_ai.evaluation.score.value': 0.5,
      'gen_ai.evaluation.score.label': 'selected',
      'gen_ai.evaluation.explanation': '0.5, 1st of 2, selected',
      'assize.profile': 'grades',
      'assize.candidate': 'a',
    },
    {
      'gen_ai.evaluation.name': 'grades',
      'gen_ai.evaluation.score.value': 0.375,
      'gen_ai.evaluation.score.label': 'not_selected',
      'gen_ai.evaluation.explanation': '0.375, 2nd of 2, not selected: below the top',
      'assize.profile': 'grades',
      'assize.candidate': 'b',
    },
    {
      'gen_ai.evaluation.name': 'grades',
      'gen_ai.evaluation.score.label': 'refused',
      'gen_ai.evaluation.explanation': 'refused by secret: candidate.secret',
      'assize.profile': 'grades',
      'assize.candidate': 'c',
    },
  ]);
});

test('reports only the selected candidates', async () => {
  const events = await report({ candidates: 'selected' });
  expect(events.map((attributes) => attributes['assize.candidate'])).toEqual(['a']);
});

test('reports each scorer, with the state and the error of one that has no number', async () => {
  const events = await report({ scores: 'scorers' });
  const gist = events.map((attributes) => [
    attributes['assize.candidate'],
    attributes['gen_ai.evaluation.name'],
    attributes['gen_ai.evaluation.score.value'],
    attributes['gen_ai.evaluation.score.label'],
    attributes['error.type'],
  ]);
  expect(gist).toEqual([
    ['a', 'grades', 0.5, 'selected', undefined],
    ['a', 'grades.clear', 0.75, undefined, undefined],
    ['a', 'grades.parsed', 0.25, undefined, undefined],
    ['b', 'grades', 0.375, 'not_selected', undefined],
    ['b', 'grades.clear', 0.5, 'absent', undefined],
    ['b', 'grades.parsed', 0.25, 'failed', 'scorer_error'],
    ['c', 'grades', undefined, 'refused', undefined],
  ]);
});

test.each([
  ['otlp-semconv-attributes.jsonl', /^msg_/],
  ['otlp-semconv-events.jsonl', /^msg_/],
  ['otlp-otel-openai.jsonl', /./],
])('sets the span of a trace of %s as the context', async (file, response) => {
  const traces = tracesOf(file);
  const { events, logger } = keeping();
  reportEvaluations(await (await createPipeline('trace-quality')).rank(traces), { logger, scores: 'scorers' });
  expect(events.length).toBeGreaterThan(traces.length);
  for (const { context: inside, attributes } of events) {
    const span = trace.getSpanContext(inside);
    expect(span && isSpanContextValid(span)).toBe(true);
    expect(attributes['assize.candidate']).toBe(`kp:trace:${span?.traceId}`);
    expect(attributes['gen_ai.response.id']).toMatch(response);
  }
  // The outermost span of the agent's work has no parent among the others of the log.
  const [{ source }] = traces as [(typeof traces)[0]];
  expect(trace.getSpanContext(events[0]!.context)?.spanId).toBe(source.span?.span_id);
});

test('names the response of a log without spans', async () => {
  const { events, logger } = keeping();
  const [trace1] = tracesOf('openai-chat.jsonl');
  reportEvaluations(await (await createPipeline('trace-quality')).rank([trace1]), { logger });
  expect(events[0]?.attributes['gen_ai.response.id']).toBe(trace1?.source.response_id);
  expect(trace1?.source.response_id).toMatch(/^chatcmpl/);
  expect(events[0]?.context).toBe(context.active());
});

test('takes the work of a candidate from the caller, and ignores ids that are not those of a span', async () => {
  const pipeline = await createPipeline<{ id: string; spans: string }>({ tier2_scorers: [{ id: 'one', expr: '1.0' }] });
  const ranking = await pipeline.rank([
    { id: 'good', spans: '0af7651916cd43dd8448eb211c80319c/b7ad6b7169203331' },
    { id: 'bad', spans: '5b8e/01' },
  ]);
  const { events, logger } = keeping();
  reportEvaluations(ranking, {
    logger,
    workOf: ({ spans }) => {
      const [trace_id = '', span_id = ''] = spans.split('/');
      return { span: { trace_id, span_id } };
    },
  });
  const spans = events.map((event) => trace.getSpanContext(event.context)?.spanId);
  expect(spans).toEqual(['b7ad6b7169203331', undefined]);
  expect(events[1]?.context).toBe(ROOT_CONTEXT);
});
