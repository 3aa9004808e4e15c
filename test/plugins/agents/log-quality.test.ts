/* The scorers of the plugin agents read the traces that readTraces makes of logs. */
import { describe, expect, test } from 'vitest';
import { createPipeline, explanationParts } from 'assize';
import { type AgentTrace, readTraces } from 'assize/agents';
import { fixtureText, LOGS, recordsOf } from './traces/fixtures.js';

const MEASURES = ['steps', 'calls', 'tokens', 'cost', 'latency'];
const CLASSES = ['ToolErrorScorer', 'WastedCallScorer', 'InvalidCallScorer', 'RepeatedCallScorer', 'AgreementScorer'];

const pipeline = await createPipeline<object>({
  plugins: ['agents'],
  tier2_scorers: [
    ...MEASURES.map((measure) => ({ id: measure, class: 'EffortScorer', params: { measure, group: 'any', least: 2 } })),
    ...CLASSES.map((name) => ({ id: name.replace('Scorer', '').toLowerCase(), class: name })),
  ],
});

/** The reason and the value of each scorer, by trace. */
async function reasonsOf(traces: readonly object[]) {
  const ranking = await pipeline.rank(traces);
  return traces.map((_, index) => {
    const { scorers } = explanationParts(ranking.explain({ index }));
    return Object.fromEntries(scorers.map(({ id, value, text }) => [id, { value, text }]));
  });
}

const recorded = LOGS.map(([file, from]) => ({ file, traces: readTraces(recordsOf(file), { from }).traces }));

describe('the recorded logs', () => {
  test('have tokens and time as the log counts them', async () => {
    const traces = recorded.flatMap((one) => one.traces);
    for (const [k, reasons] of (await reasonsOf(traces)).entries()) {
      const { tokens, calls, steps } = traces[k]!;
      expect(reasons['tokens']?.text).toMatch(new RegExp(`^${tokens?.total} tokens; `));
      expect(reasons['calls']?.text).toMatch(new RegExp(`^${calls} calls; `));
      expect(reasons['steps']?.text).toMatch(new RegExp(`^${steps.length} steps; `));
      expect(reasons['latency']?.text).toMatch(/^[\d.]+ ms; /);
      expect(reasons['cost']?.value).toBeUndefined(); // no log has it
    }
  });

  test.each(recorded.filter(({ file }) => file !== 'claude-code.jsonl'))(
    '$file: a call fails, and its second attempt is not wasted',
    async ({ file, traces }) => {
      const [trace, ...others] = traces as readonly [AgentTrace, ...AgentTrace[]];
      expect(others).toEqual([]);
      const [reasons] = await reasonsOf([trace]);
      const failed = trace.steps.find(({ tool, error }) => tool !== undefined && error === true)!;
      const reported = trace.steps.find(({ type, error }) => type === 'observation' && error === true)!;
      expect(reasons?.['toolerror']?.text).toMatch(
        new RegExp(`^1 of 3 results report an error, the last in step ${reported.step_id}, .*timed out`),
      );
      expect(reasons?.['wastedcall']).toMatchObject({
        value: 1 - 1 / 3,
        text: `1 of 3 calls are wasted; step ${failed.step_id} failed: get_weather({city: Rome})`,
      });
      expect(reasons?.['repeatedcall']?.text).toMatch(/^1 of 3 calls repeat an earlier one: get_weather/);
      // Some instrumentations do not record the tools.
      expect(reasons?.['invalidcall']?.value).toBe(trace.tools ? 1 : undefined);
      expect(trace.tools !== undefined).toBe(!/semconv|otel-openai/.test(file));
    },
  );

  test('a session: links parallel results, names the tools of MCP, and does not read errors in messages of the user', async () => {
    const { traces } = readTraces(recordsOf('claude-code.jsonl'));
    const [session] = await reasonsOf(traces);
    expect(session?.['toolerror']?.text).toMatch(
      /^1 of 9 results report an error, the last in step 4, 14 steps before/,
    );
    const complaint = fixtureText('claude-code.jsonl').replace(
      'Thanks. Show me the change.',
      'Sorry, file not found: error',
    );
    const complained = complaint
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const [again] = await reasonsOf(readTraces(complained).traces);
    expect(complaint).toContain('Sorry, file not found');
    expect(again?.['toolerror']).toEqual(session?.['toolerror']);
  });
});

/** A trace of a log: its steps are numbered, and results name the step of their call. */
const linked = (...steps: readonly object[]) => ({ steps: steps.map((step, step_id) => ({ step_id, ...step })) });
const call = (name: string, input: object, more: object = {}) => ({
  type: 'tool_call',
  tool: { name, ...more },
  input,
});
const result = (answers: number, content: string, more: object = {}) => ({
  type: 'observation',
  content,
  answers,
  ...more,
});

describe('a trace of a log', () => {
  test('links a result after a text of the agent', async () => {
    const [reasons] = await reasonsOf([
      linked(
        call('read', { path: 'a' }),
        call('read', { path: 'b' }),
        { type: 'thought', content: 'I wait.' },
        result(1, ''),
        result(0, 'x = 1'),
      ),
    ]);
    expect(reasons?.['wastedcall']?.text).toBe('1 of 2 calls are wasted; step 1 returned nothing: read({path: b})');
  });

  test('trusts the mark of a result over words in its text', async () => {
    const code = 'if (timeout) throw new Error("not found"); // command not found';
    const [marked, words, begins] = await reasonsOf([
      linked(call('read', { path: 'a' }), result(0, 'exit 3', { error: true }), { type: 'thought', content: 'Oh.' }),
      linked(call('read', { path: 'a' }), result(0, code), { type: 'thought', content: 'Oh.' }),
      linked(call('read', { path: 'a' }), result(0, 'Failed: no such file'), { type: 'thought', content: 'Oh.' }),
    ]);
    expect(marked?.['toolerror']?.value).toBeCloseTo(1 / 3);
    expect(words?.['toolerror']?.value).toBe(1);
    expect(begins?.['toolerror']?.value).toBeCloseTo(1 / 3);
  });

  test('has the worst score for errors if it ended with a failed request', async () => {
    const trace = { ...linked({ type: 'thought', content: 'I look.' }), error: 'overloaded' };
    const [reasons] = await reasonsOf([trace]);
    expect(reasons?.['toolerror']).toEqual({ value: 0, text: 'it ended with the error: overloaded' });
  });

  test('counts tokens and cost of requests without a step, and the time of the steps', async () => {
    const steps = linked({ type: 'thought', content: 'a', tokens: { input: 1, output: 2 }, latency_ms: 5 });
    const [own, summed, timed] = await reasonsOf([
      { ...steps, tokens: { input: 30, output: 4 }, cost: 0.5, latency_ms: 90_000 },
      linked({ type: 'thought', content: 'a', tokens: { input: 1, output: 2 }, latency_ms: 5, cost: 0.25 }),
      { ...linked({ type: 'thought', content: 'a' }), latency_ms: 70 },
    ]);
    expect([own, summed].map((one) => one?.['tokens']?.text.split(';')[0])).toEqual(['34 tokens', '3 tokens']);
    expect([own, summed].map((one) => one?.['cost']?.text.split(';')[0])).toEqual(['0.5 cost', '0.25 cost']);
    expect([own, timed].map((one) => one?.['latency']?.text.split(';')[0])).toEqual(['5 ms', '70 ms']);
  });

  test('compares calls of MCP with tools by both names, and distinguishes servers', async () => {
    const mcp = (server: string) => call('status', {}, { mcp_server: server });
    const trace = linked(mcp('git'), result(0, 'clean'), mcp('hub'), result(2, 'open'));
    const [full, short, other] = await reasonsOf([
      { ...trace, tools: [{ name: 'mcp__git__status' }, { name: 'mcp__hub__status' }] },
      { ...trace, tools: [{ name: 'status' }] },
      { ...trace, tools: [{ name: 'mcp__git__status' }] },
    ]);
    expect([full, short, other].map((one) => one?.['invalidcall']?.value)).toEqual([1, 1, 0.5]);
    expect(other?.['invalidcall']?.text).toContain('step 2 calls a tool that was not offered: mcp__hub__status');
    expect(full?.['repeatedcall']?.value).toBe(1);
  });
});

test('the preset trace-quality ranks the recorded logs, with a reason for each score that it gives', async () => {
  const traces = recorded.flatMap((one) => one.traces);
  const ranking = await (await createPipeline<object>('trace-quality')).rank(traces);
  expect(ranking.ranked).toHaveLength(traces.length);
  expect(ranking.degraded).toEqual([]);
  for (const index of traces.keys()) {
    for (const { state, text } of explanationParts(ranking.explain({ index })).scorers) {
      expect(['scored', 'absent']).toContain(state);
      expect(text).toMatch(/\w{2,} \w/);
    }
  }
});

describe('WastedCallScorer', () => {
  const run = (name: string, content: string) => [
    { type: 'tool_call', tool: { name }, input: { key: name } },
    { type: 'observation', content },
  ];
  const end = { type: 'thought', content: 'All went well.' };

  test.each([
    ['edit_file', 1],
    ['NotebookEdit', 1],
    ['send-mail', 1],
    ['get_order', 0],
    ['search', 0],
  ])('%s, with a result that no later step uses: %d', async (name, value) => {
    const [reasons] = await reasonsOf([{ id: 'a', steps: [...run(name, 'Line seven differs.'), end] }]);
    expect(reasons?.['wastedcall']?.value).toBe(value);
  });

  test('counts a change that fails or is repeated', async () => {
    const steps = [...run('edit_file', ''), ...run('edit_file', ''), ...run('write', 'Error: read only'), end];
    const [reasons] = await reasonsOf([{ id: 'a', steps }]);
    expect(reasons?.['wastedcall']).toMatchObject({
      value: 1 - 2 / 3,
      text: '2 of 3 calls are wasted; step 2 repeats an earlier call: edit_file({key: edit_file})',
    });
  });
});
