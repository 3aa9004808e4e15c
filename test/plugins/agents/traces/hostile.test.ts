import { describe, expect, test } from 'vitest';
import { readTraces, type TraceReading } from 'assize/agents';
import { Random } from '../../../fuzz/random.js';
import { LOGS, recordsOf, sumOf } from './fixtures.js';

/** Each record is in a trace, or counted; a trace has steps, and numbers them. */
function expectComplete({ traces, records, unmapped, withoutSteps }: TraceReading): void {
  const mapped = traces.reduce((sum, { source }) => sum + source.records, 0);
  expect(mapped + sumOf(unmapped)).toBe(records);
  for (const { steps, latency_ms = 0, id } of traces) {
    expect(steps.length).toBeGreaterThan(0);
    expect(withoutSteps).not.toContain(id);
    expect(latency_ms).toBeGreaterThanOrEqual(0);
    for (const [k, step] of steps.entries()) {
      expect(step.step_id).toBe(k);
      expect(step.latency_ms ?? 0).toBeGreaterThanOrEqual(0);
    }
  }
}

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

const span = (id: string, parentSpanId: string | undefined, attributes: readonly object[], more = {}) => ({
  traceId: 't',
  spanId: id,
  ...(parentSpanId !== undefined && { parentSpanId }),
  name: id,
  startTimeUnixNano: '1795765142000000000',
  endTimeUnixNano: '1795765143000000000',
  attributes,
  ...more,
});

const chat = (text: string) => [
  attribute('gen_ai.operation.name', 'chat'),
  attribute(
    'gen_ai.output.messages',
    JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: text }] }]),
  ),
];

const otlp = (...spans: readonly object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

const line = (uuid: string, parentUuid: string | null, content: unknown, more = {}) => ({
  type: 'assistant',
  uuid,
  parentUuid,
  sessionId: 's',
  timestamp: '2026-05-20T09:00:00Z',
  isSidechain: false,
  message: { role: 'assistant', content },
  ...more,
});

const text = (value: string) => [{ type: 'text', text: value }];

describe('spans', () => {
  test('with cyclic and missing parents', () => {
    const agent = [attribute('gen_ai.operation.name', 'invoke_agent')];
    const reading = readTraces([
      otlp(span('a', 'b', agent), span('b', 'a', agent), span('c', 'c', chat('one')), span('d', 'gone', chat('two'))),
    ]);
    expectComplete(reading);
    expect(reading.traces[0]?.steps.map(({ content }) => content).toSorted()).toEqual(['one', 'two']);
  });

  test('with repeated ids: the first one counts', () => {
    const reading = readTraces([otlp(span('a', undefined, chat('one')), span('a', undefined, chat('two')))]);
    expectComplete(reading);
    expect(reading.unmapped).toEqual({ 'repeated span id': 1 });
    expect(reading.traces[0]?.steps.map(({ content }) => content)).toEqual(['one']);
  });

  test('with negative durations and invalid times', () => {
    const reading = readTraces([
      otlp(
        span('a', undefined, chat('one'), { endTimeUnixNano: '1' }),
        span('b', undefined, chat('two'), { startTimeUnixNano: 'soon', endTimeUnixNano: -5 }),
        span('c', undefined, chat('three'), { startTimeUnixNano: '9'.repeat(40) }),
      ),
    ]);
    expectComplete(reading);
    expect(reading.lost).toEqual({ 'negative duration': 1 });
    expect(reading.traces[0]?.steps).toHaveLength(3);
  });

  test('with attributes named __proto__, and positions that no list has', () => {
    const reading = readTraces([
      otlp(
        span('__proto__', undefined, [
          attribute('openinference.span.kind', 'LLM'),
          attribute('llm.output_messages.4294967296000.message.role', 'assistant'),
          attribute('llm.output_messages.4294967296000.message.content', 'one'),
          attribute('llm.output_messages.__proto__.message.content', 'two'),
          attribute('__proto__', 'three'),
        ]),
      ),
    ]);
    expectComplete(reading);
    expect(Object.prototype).not.toHaveProperty('message');
  });

  test('are counted where a list is missing', () => {
    const reading = readTraces([{ resourceSpans: [{}, { scopeSpans: [{ spans: {} }] }, null] }, 7, null]);
    expectComplete(reading);
    expect(reading.unmapped).toEqual({
      'no scopeSpans where they are expected': 2,
      'document without resourceSpans': 2,
      'no spans where they are expected': 1,
    });
  });

  test('of sub-agents are steps with the name of the agent', () => {
    const agent = (name: string) => [
      attribute('gen_ai.operation.name', 'invoke_agent'),
      attribute('gen_ai.agent.name', name),
    ];
    const { traces } = readTraces([
      otlp(
        span('main', undefined, agent('planner')),
        span('m1', 'main', chat('I ask.')),
        span('sub', 'main', agent('searcher')),
        span('s1', 'sub', chat('I search.')),
      ),
    ]);
    expect(traces[0]?.metadata.agent_id).toBe('kp:agent:planner');
    expect(traces[0]?.steps.map(({ content, agent: name }) => [content, name])).toEqual([
      ['I ask.', undefined],
      ['I search.', 'searcher'],
    ]);
  });

  test('without content are steps without content, with their tokens', () => {
    const { traces, lost } = readTraces([
      otlp(
        span('a', undefined, [
          attribute('gen_ai.operation.name', 'chat'),
          { key: 'gen_ai.usage.input_tokens', value: { intValue: '12' } },
          { key: 'gen_ai.usage.output_tokens', value: { intValue: 3 } },
          { key: 'gen_ai.usage.cost', value: { doubleValue: 0.25 } },
        ]),
      ),
    ]);
    expect(lost).toEqual({ 'answer without content': 1 });
    expect(traces[0]).toMatchObject({ tokens: { input: 12, output: 3, total: 15 }, cost: 0.25 });
    expect(traces[0]?.steps).toHaveLength(1);
  });

  test('of a failed tool are one error, and do not say that the trace failed', () => {
    const attributes = [attribute('gen_ai.operation.name', 'execute_tool'), attribute('gen_ai.tool.name', 'f')];
    const { traces } = readTraces([otlp(span('a', undefined, attributes, { status: { code: 2 } }))]);
    expect(traces[0]).toMatchObject({ calls: 1, errors: 1 });
    expect(traces[0]?.metadata).not.toHaveProperty('success');
  });

  test('that failed end a trace without success', () => {
    const status = { code: 2, message: 'out of credits' };
    const { traces } = readTraces([
      otlp(
        span('root', undefined, [attribute('gen_ai.operation.name', 'invoke_agent')], { status }),
        span('a', 'root', chat('one')),
      ),
    ]);
    expect(traces[0]).toMatchObject({ metadata: { success: false }, errors: 1, error: 'out of credits' });
  });
});

describe('lines of Claude Code', () => {
  test('with cyclic and missing parents', () => {
    const side = { isSidechain: true };
    const reading = readTraces([
      line('a', 'b', text('one')),
      line('b', 'a', text('two')),
      line('c', 'c', text('three'), side),
      line('d', 'gone', text('four'), side),
      line('e', 'd', text('five'), side),
    ]);
    expectComplete(reading);
    expect(reading.traces.map(({ id, steps }) => [id, steps.map(({ content }) => content)])).toEqual([
      ['kp:trace:s', ['one', 'two']],
      ['kp:trace:s/c', ['three']],
      ['kp:trace:s/d', ['four', 'five']],
    ]);
  });

  test('that are repeated, as a continued session does', () => {
    const reading = readTraces([line('a', null, text('one')), line('a', null, text('one'))]);
    expectComplete(reading);
    expect(reading.unmapped).toEqual({ 'repeated line': 1 });
  });

  test('with keys and ids named __proto__', () => {
    const lines: unknown = JSON.parse(
      `[${JSON.stringify(line('__proto__', '__proto__', text('one'), { sessionId: '__proto__' }))},
        {"type":"assistant","uuid":"b","parentUuid":null,"sessionId":"__proto__","message":{"role":"assistant","__proto__":{"content":"evil"},
         "content":[{"type":"tool_use","id":"__proto__","name":"__proto__","input":{"__proto__":{"polluted":true}}}]}}]`,
    );
    const reading = readTraces(lines as unknown[]);
    expectComplete(reading);
    expect(reading.traces[0]?.id).toBe('kp:trace:__proto__');
    expect(reading.traces[0]?.steps[1]?.tool).toEqual({ name: '__proto__' });
    expect({}).not.toHaveProperty('polluted');
  });

  test('of the stream of messages name the call of a sub-agent, the cost and the outcome', () => {
    const stream = { sessionId: undefined, session_id: 's' };
    const { traces } = readTraces(
      [
        line('a', null, [{ type: 'tool_use', id: 'call', name: 'Task', input: {} }], stream),
        line('b', null, text('done'), { ...stream, parent_tool_use_id: 'call' }),
        { type: 'result', subtype: 'success', is_error: false, session_id: 's', total_cost_usd: 0.5, duration_ms: 900 },
      ],
      { from: 'claude-code' },
    );
    expect(traces[0]).toMatchObject({ cost: 0.5, latency_ms: 900, metadata: { success: true } });
    expect(traces[0]?.steps[0]?.sidechain).toBe(traces[1]?.id);
    expect(traces[1]).toMatchObject({ id: 'kp:trace:s/call', parent: 'kp:trace:s' });
  });
});

describe('logs of models', () => {
  const from = 'openai-log';
  const ask = (content: string) => ({ messages: [{ role: 'user', content }] });
  const answered = (content: string) => ({ choices: [{ message: { role: 'assistant', content } }] });

  test('with equal requests that both succeed are two traces', () => {
    const { traces } = readTraces(
      [
        { request: ask('hi'), response: answered('one') },
        { request: ask('hi'), response: answered('two') },
      ],
      { from },
    );
    expect(traces).toHaveLength(2);
  });

  test('with a request that is repeated after a failure are one trace', () => {
    const { traces } = readTraces(
      [
        { request: ask('hi'), status: 429, response: { error: { message: 'slow down' } } },
        { request: ask('hi'), response: answered('one') },
      ],
      { from },
    );
    expect(traces).toHaveLength(1);
    expect(traces[0]).toMatchObject({ errors: 1, retries: 1, source: { records: 2 } });
    expect(traces[0]).not.toHaveProperty('error'); // it did not end with the error
  });

  test('with the bodies of HTTP as text, and names of runs', () => {
    const body = (value: object) => ({ body: JSON.stringify(value) });
    const reading = readTraces(
      [
        { session_id: 'run', request: body(ask('hi')), response: { status: 200, ...body(answered('one')) } },
        { session_id: 'run', request: body(ask('and?')), response: { status: 200, ...body(answered('two')) } },
      ],
      { from },
    );
    expectComplete(reading);
    expect(reading.traces.map(({ id, steps }) => [id, steps.map(({ content }) => content)])).toEqual([
      ['kp:trace:run', ['one', 'user: and?', 'two']],
    ]);
  });

  test('with parts that are not mapped name them', () => {
    const reading = readTraces(
      [
        { request: ask('hi'), response: 'data: {"choices":[]}\n\n' },
        {
          request: ask('hi'),
          response: {
            choices: [
              {
                message: {
                  role: 'assistant',
                  content: [{ type: 'hologram' }, { type: 'input_audio' }],
                  tool_calls: [{ id: 'x' }, { id: 'y', function: { name: 'f', arguments: '{bad' } }],
                },
              },
              {},
            ],
          },
        },
        { object: 'list' },
        [],
      ],
      { from },
    );
    expectComplete(reading);
    expect(reading.unmapped).toEqual({
      'in a trace without steps': 1,
      'record list': 1,
      'record that is not an object': 1,
    });
    expect(reading.lost).toEqual({
      'another choice of a response': 1,
      'arguments that are not an object': 1,
      'call without the name of a tool': 1,
      'content block hologram': 1,
      'content block input_audio': 1,
      'streamed response': 1,
    });
    expect(reading.traces[0]?.steps.at(-1)).toMatchObject({ tool: { name: 'f' }, input_text: '{bad' });
  });
});

test('values that are nested deep, and long lines', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const input: unknown = JSON.parse(deep);
  const reading = readTraces([
    line('a', null, [{ type: 'tool_use', id: 'x', name: 'f', input: { input } }]),
    line('b', null, [{ type: 'tool_result', tool_use_id: 'x', content: { input } }], { type: 'user' }),
    line('c', null, text('x'.repeat(10_000_000))),
    otlp(),
  ]);
  expectComplete(reading);
  const nested = readTraces([otlp(span('a', undefined, [...chat('one'), attribute('gen_ai.input.messages', deep)]))]);
  expectComplete(nested);
  expect(nested.traces).toHaveLength(1);
});

test('an unknown first record needs the option from', () => {
  expect(() => readTraces([{ messages: [] }])).toThrow('pass from, such as "openai-log"');
  expect(readTraces([])).toMatchObject({ traces: [], records: 0 });
});

/** A value where another is expected. */
const SURPRISES: readonly (() => unknown)[] = [
  ...[null, true, 0, -1, 1e308, '', '__proto__', 'constructor', '{"a":', '[[[[', 'text', '9'.repeat(30)].map(
    (value) => () => value,
  ),
  () => [],
  () => ({}),
  (): unknown => JSON.parse('{"__proto__":{"type":"text"},"type":"text"}'),
  () => [null, [], {}],
  () => ({ type: 'tool_result' }),
  () => ({ type: 'tool_use', name: 'f' }),
];

const isTree = (value: unknown): value is Record<string, unknown> | unknown[] =>
  typeof value === 'object' && value !== null;

/** Changes a few values somewhere in the records. */
function mutate(records: unknown[], random: Random): void {
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    let tree: Record<string, unknown> | unknown[] = records;
    for (;;) {
      const keys = Object.keys(tree);
      if (keys.length === 0) break;
      const key = random.pick(keys);
      const value: unknown = Reflect.get(tree, key);
      if (isTree(value) && !random.chance(0.2)) {
        tree = value;
        continue;
      }
      if (Array.isArray(tree) && random.chance(0.5)) {
        if (random.chance(0.5)) tree.splice(Number(key), 1);
        else tree.splice(random.below(tree.length + 1), 0, structuredClone(value));
      } else if (!Array.isArray(tree) && random.chance(0.4)) {
        delete tree[key];
        if (random.chance(0.5))
          Object.defineProperty(tree, random.pick(['__proto__', 'type', 'id', 'content', 'constructor']), {
            value,
            enumerable: true,
            configurable: true,
            writable: true,
          });
      } else
        Object.defineProperty(tree, key, {
          value: random.pick(SURPRISES)(),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      break;
    }
  }
}

/** The number of records that a list of parsed lines has, counted without the codec. */
function recordsIn(records: readonly unknown[], format: string): number {
  if (format !== 'otlp') return records.length;
  const lists = (values: readonly unknown[], key: string): readonly unknown[] =>
    values.flatMap((value): readonly unknown[] => {
      const list: unknown = isTree(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
      return Array.isArray(list) ? list : [];
    });
  const spans = lists(lists(lists(records, 'resourceSpans'), 'scopeSpans'), 'spans');
  return spans.length + lists(lists(lists(records, 'resourceLogs'), 'scopeLogs'), 'logRecords').length;
}

// `npm run fuzz` mutates more files.
const FILES = process.env['FUZZ'] === '1' ? 10_000 : 600;

test(`${String(FILES)} mutated logs are read without a crash, and without a record that is lost`, () => {
  const logs = LOGS.map(([file, format]) => ({ format, records: recordsOf(file) }));
  const start = process.env['FUZZ'] === '1' ? Date.now() % 1e9 : 1;
  for (let seed = start; seed < start + FILES; seed += 1) {
    const random = new Random(seed);
    const { format, records } = random.pick(logs);
    const mutated = structuredClone(records);
    mutate(mutated, random);
    try {
      const reading = readTraces(mutated, { from: format });
      expectComplete(reading);
      expect(reading.records).toBeGreaterThanOrEqual(recordsIn(mutated, format));
    } catch (error) {
      throw new Error(`seed ${String(seed)}`, { cause: error });
    }
  }
});
