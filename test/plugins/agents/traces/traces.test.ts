import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { type AgentStep, type AgentTrace, readTraces } from 'assize/agents';
import { evaluateValue, type ReasoningTrace } from 'assize/knowledgepulse';
import { fixtureText, LOGS, recordsOf, sumOf } from './fixtures.js';

const isSession = (file: string): boolean => file === 'claude-code.jsonl';
const recorded = LOGS.filter(([file]) => !isSession(file));

/** The parts of a step that every log of the same agent has. Results of parallel calls arrive in any order. */
const gist = ({ type, content, tool, input, parallel, error, retry_of }: AgentStep) => ({
  type,
  content,
  tool: tool?.name,
  input,
  parallel: parallel !== undefined,
  error: error === true,
  retries: retry_of !== undefined,
});

const step = (type: AgentStep['type'], more: Partial<ReturnType<typeof gist>>) => ({
  type,
  content: undefined,
  tool: undefined,
  input: undefined,
  parallel: false,
  error: false,
  retries: false,
  ...more,
});

const WEATHER = [
  step('thought', { content: 'I look up both cities.' }),
  step('tool_call', { tool: 'get_weather', input: { city: 'Paris' }, parallel: true }),
  step('tool_call', { tool: 'get_weather', input: { city: 'Rome' }, parallel: true, error: true }),
  step('observation', { content: '18 degrees, rain' }),
  step('observation', { content: expect.stringMatching(/^(?:Error: )?the service timed out$/), error: true }),
  step('error_recovery', { tool: 'get_weather', input: { city: 'Rome' }, retries: true }),
  step('observation', { content: '25 degrees, sun' }),
  step('thought', { content: 'Paris has 18 degrees and rain, Rome has 25 degrees and sun.' }),
];

describe.each(recorded)('%s', (file, from) => {
  const { traces, records, unmapped, lost } = readTraces(recordsOf(file), { from });
  const [trace, ...others] = traces;
  const steps = (trace?.steps ?? []).filter(({ content }) => content !== 'Two cities, two calls.');

  test('is one trace with the steps of the agent', () => {
    expect(others).toEqual([]);
    const [first, ...rest] = steps.map(gist);
    const ordered = [first, ...rest].map((one) => one!);
    const results = ordered.slice(3, 5).toSorted((a, b) => Number(a.error) - Number(b.error));
    expect([...ordered.slice(0, 3), ...results, ...ordered.slice(5)]).toEqual(WEATHER);
    expect(trace).toMatchObject({
      '@type': 'ReasoningTrace',
      task: { objective: 'What is the weather in Paris and in Rome?' },
      outcome: { result_summary: 'Paris has 18 degrees and rain, Rome has 25 degrees and sun.' },
      calls: 3,
      errors: 1,
      retries: 1,
      parallel: 2,
    });
  });

  test('numbers the steps, and links results to calls', () => {
    const all = trace?.steps ?? [];
    expect(all.map(({ step_id }) => step_id)).toEqual(all.map((_, k) => k));
    for (const { answers } of all.filter(({ type }) => type === 'observation')) {
      expect(all[answers ?? -1]?.tool).toEqual({ name: 'get_weather' });
    }
  });

  test('counts tokens, time and models', () => {
    const { tokens, latency_ms, models, metadata } = trace!;
    const answers = steps.flatMap((one) => one.tokens ?? []);
    const reasoned = (trace?.steps ?? []).flatMap((one) => one.tokens ?? []);
    expect(tokens?.input).toBe(reasoned.reduce((sum, { input = 0 }) => sum + input, 0));
    expect(tokens?.total).toBe((tokens?.input ?? 0) + (tokens?.output ?? 0));
    expect(answers.length).toBeGreaterThan(1);
    expect(latency_ms).toBeGreaterThan(0);
    expect(models).toEqual([
      from === 'anthropic-log' || file.includes('semconv')
        ? expect.stringMatching(/^claude/)
        : expect.stringMatching(/^gpt/),
    ]);
    expect(metadata.created_at).toMatch(/^2026-/);
    expect(trace).not.toHaveProperty('cost'); // no log has it
    expect(metadata).not.toHaveProperty('success');
  });

  test('has each record in the trace, or counted', () => {
    expect(records).toBe((trace?.source.records ?? 0) + sumOf(unmapped));
    expect(lost).toEqual({});
  });
});

test('counts what is in no trace', () => {
  const of = (file: string) => readTraces(recordsOf(file), { from: LOGS.find(([name]) => name === file)![1] });
  expect(of('otlp-semconv-events.jsonl').unmapped).toEqual({ 'span GET /health': 1 });
  const { unmapped, withoutSteps } = of('openai-chat.jsonl');
  expect({ unmapped, withoutSteps }).toEqual({
    unmapped: { 'in a trace without steps': 1 },
    withoutSteps: ['kp:trace:4'], // a request that was refused
  });
});

describe('a session of Claude Code', () => {
  const reading = readTraces(recordsOf('claude-code.jsonl'));
  const [session, sidechain] = reading.traces;

  test('is a trace, and its sidechain is another', () => {
    expect(reading.traces.map(({ id, parent }) => ({ id, parent }))).toEqual([
      { id: 'kp:trace:3f1c2a54-0d7e-4c7b-9a51-2f6f0c9e1b10', parent: undefined },
      {
        id: 'kp:trace:3f1c2a54-0d7e-4c7b-9a51-2f6f0c9e1b10/a7f3',
        parent: 'kp:trace:3f1c2a54-0d7e-4c7b-9a51-2f6f0c9e1b10',
      },
    ]);
    expect(session?.steps.find(({ tool }) => tool?.name === 'Task')).toMatchObject({
      sidechain: sidechain?.id,
      latency_ms: 6100,
    });
    expect(sidechain?.steps.map(({ type }) => type)).toEqual(['tool_call', 'observation', 'thought']);
  });

  test('has its steps, tools, errors and tokens', () => {
    expect(session?.steps.map(({ type, tool, content }) => [type, tool?.name ?? content?.split('\n')[0]])).toEqual([
      ['thought', 'The price is probably not rounded.'],
      ['thought', 'I look at the test and at the code.'],
      ['tool_call', 'Bash'],
      ['tool_call', 'Read'],
      ['observation', 'Error: Exit code 1'],
      ['observation', '1\texport const price = (n: number) => n * 0.3;'],
      ['error_recovery', 'Task'],
      ['observation', 'total.ts rounds with Math.round(x * 100) / 100.'],
      ['tool_call', 'Edit'],
      ['observation', 'The file has been updated.'],
      ['tool_call', 'Bash'],
      ['observation', '12 passed'],
      ['thought', 'The price is rounded now, and all tests pass.'],
      ['observation', 'user: Thanks. Show me the change.'],
      ['observation', 'user: Thanks. Which files changed?'],
      ['observation', 'user: [image]'],
      ['tool_call', 'status'],
      ['observation', 'modified: price.ts'],
      ['thought', 'Only price.ts changed.'],
    ]);
    expect(session).toMatchObject({
      metadata: { framework: 'claude-code', task_domain: 'code', created_at: '2026-05-20T09:00:00.000Z' },
      title: 'Round the price',
      // The lines of one answer repeat its tokens, with growing counts.
      tokens: { input: 6520, output: 270, total: 6790, cached: 6000 },
      latency_ms: 77_000,
      calls: 6,
      errors: 2,
      retries: 2,
      parallel: 2,
      compactions: 1,
      branches: 1,
    });
    expect(session?.steps[16]?.tool).toEqual({ name: 'status', mcp_server: 'git' });
  });

  test('names the lines and parts that are in no trace', () => {
    expect(reading.unmapped).toEqual({
      'attachment todo_reminder': 1,
      'line file-history-snapshot': 1,
      'line queue-operation': 1,
      'summary after a compaction': 1,
      'summary of another session': 1,
      'system turn_duration': 1,
    });
    expect(reading.lost).toEqual({ 'content block image': 1 });
    expect(reading.records).toBe(33);
  });
});

/** The trace of KnowledgePulse, when the outcome is known. */
const solved = ({ metadata, outcome, ...trace }: AgentTrace): ReasoningTrace => ({
  ...trace,
  metadata: { created_at: '', ...metadata, success: true, quality_score: 1 },
  outcome: { ...outcome, confidence: 1 },
});

test.each(LOGS)('%s is scored as a trace of KnowledgePulse', async (file, from) => {
  const { traces } = readTraces(recordsOf(file), { from });
  const pipeline = await createPipeline<AgentTrace>({
    extends: ['knowledgepulse'],
    tier2_scorers: [{ id: 'novelty', params: { embedder: 'lexical' } }],
  });
  for (const trace of traces) {
    // Of logs without an outcome, that scorer abstains, and no other does.
    // oxlint-disable-next-line no-await-in-loop -- one trace after the other
    const { selected } = await pipeline.rank([trace], {}, { updateMemory: false });
    expect(selected[0]?.partial).toEqual({ present: 3, of: 4 });
    const copy: unknown = JSON.parse(JSON.stringify(trace));
    expect(copy).toEqual(trace);
    // oxlint-disable-next-line no-await-in-loop -- one trace after the other
    expect(await evaluateValue(solved(trace))).toBeGreaterThan(0);
  }
});

test('texts of the messages are in the trace', () => {
  for (const [file, from] of LOGS) {
    const { traces } = readTraces(recordsOf(file), { from });
    const whole = JSON.stringify(traces);
    for (const text of fixtureText(file).match(
      /(?:Paris has|I look|the service|25 degrees|Only price|12 passed)[\w .]*/g,
    ) ?? []) {
      expect(whole).toContain(text.trim());
    }
  }
});
