/* Logs as exporters write them, in shapes that the recorded fixtures do not have. */
import { describe, expect, test } from 'vitest';
import { type AgentTrace, readTraces, type TraceFormat } from 'assize/agents';

const valueOf = (value: unknown): object => {
  if (typeof value === 'number') return { intValue: String(value) };
  return { stringValue: typeof value === 'string' ? value : JSON.stringify(value) };
};

/** Spans of one trace that follow each other; `at` sets another place in time. */
const spans = (
  ...list: readonly (readonly [
    id: string,
    parent: string,
    attributes: object,
    more?: { at?: number; status?: object },
  ])[]
) => [
  {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: list.map(([spanId, parentSpanId, attributes, { at, ...more } = {}], i) => ({
              traceId: 't',
              spanId,
              parentSpanId,
              name: spanId,
              startTimeUnixNano: String(1_795_765_142_000_000_000n + BigInt(at ?? i) * 1_000_000n),
              endTimeUnixNano: String(1_795_765_142_000_000_000n + BigInt((at ?? i) + 10) * 1_000_000n),
              attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) })),
              ...more,
            })),
          },
        ],
      },
    ],
  },
];

const only = (records: readonly unknown[], from: TraceFormat = 'otlp'): AgentTrace => {
  const { traces } = readTraces(records, { from });
  expect(traces).toHaveLength(1);
  return traces[0]!;
};

const gist = ({ steps }: AgentTrace) =>
  steps.map(({ type, tool, input, content, error }) => [
    type,
    tool?.name ?? content,
    ...(input ? [input] : []),
    ...(error ? ['error'] : []),
  ]);

const chat = (text: string, more: object = {}) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: text }] }],
  ...more,
});

const usage = (input: number, output: number) => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
});

describe('tokens and cost are counted once', () => {
  test('of a request that two instrumentations record', () => {
    const trace = only(
      spans(
        [
          'outer',
          '',
          {
            'openinference.span.kind': 'LLM',
            'llm.token_count.prompt': 10,
            'llm.token_count.completion': 5,
            'llm.cost.total': 2,
          },
        ],
        ['inner', 'outer', chat('one', { ...usage(10, 5), 'gen_ai.usage.cost': 2 })],
      ),
    );
    expect(gist(trace)).toEqual([['thought', 'one']]);
    expect(trace).toMatchObject({ tokens: { input: 10, output: 5, total: 15 }, cost: 2, source: { records: 2 } });
  });

  test('of the attempts in a request', () => {
    const trace = only(
      spans(
        ['outer', '', { 'openinference.span.kind': 'LLM', 'llm.token_count.completion': 5 }],
        ['first', 'outer', { 'gen_ai.operation.name': 'chat' }, { status: { code: 2, message: 'slow down' } }],
        ['second', 'outer', chat('one', usage(10, 5))],
      ),
    );
    expect(trace).toMatchObject({ tokens: { total: 15 }, errors: 1 });
    expect(gist(trace)).toEqual([['thought', 'one']]);
  });

  test('of a run of a tool in another span, but not of parents in a cycle', () => {
    const run = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f', 'gen_ai.tool.call.result': 'r' };
    expect(only(spans(['a', '', run], ['b', 'a', run]))).toMatchObject({ calls: 1 });
    expect(only(spans(['a', 'b', run], ['b', 'a', run]))).toMatchObject({ calls: 2 });
  });

  test('of an agent, only where its requests have none', () => {
    const agent = { 'gen_ai.operation.name': 'invoke_agent', ...usage(30, 7) };
    const { tokens } = only(spans(['a', '', agent], ['b', 'a', chat('one', usage(20, 4))]));
    expect(tokens).toEqual({ input: 20, output: 4, total: 24 });
    const without = only(spans(['a', '', agent], ['b', 'a', agent], ['c', 'b', chat('one')]));
    expect(without.tokens).toEqual({ input: 30, output: 7, total: 37 });
  });

  test('where the cached ones are not part of the input', () => {
    const cached = { ...usage(10, 2), 'gen_ai.usage.cache_read_input_tokens': 100 };
    const written = { ...cached, 'gen_ai.usage.cache_creation_input_tokens': 5 };
    expect(only(spans(['a', '', chat('one', written)])).tokens).toEqual({
      input: 115,
      output: 2,
      total: 117,
      cached: 100,
    });
  });

  test('and named where they are not a count', () => {
    const { lost } = readTraces(spans(['a', '', chat('one', { 'gen_ai.usage.input_tokens': 'many' })]));
    expect(lost).toEqual({ 'tokens that are not a count': 1 });
  });
});

describe('spans', () => {
  test('of the AI SDK 4 have tokens by other names', () => {
    const attributes = {
      'ai.operationId': 'ai.streamText.doStream',
      'ai.response.text': 'one',
      'ai.usage.promptTokens': 7,
      'ai.usage.completionTokens': 3,
    };
    expect(only(spans(['a', '', attributes])).tokens).toEqual({ input: 7, output: 3, total: 10 });
  });

  test('of OpenLLMetry: embeddings are not answers, and wrapped arguments are those of the call', () => {
    const reading = readTraces(
      spans(
        [
          'chat',
          '',
          {
            'llm.request.type': 'chat',
            'gen_ai.completion.0.role': 'assistant',
            'gen_ai.completion.0.tool_calls.0.id': 'k',
            'gen_ai.completion.0.tool_calls.0.name': 'f',
            'gen_ai.completion.0.tool_calls.0.arguments': '{"a":1}',
          },
        ],
        [
          'f.tool',
          '',
          {
            'traceloop.span.kind': 'tool',
            'traceloop.entity.name': 'f',
            'traceloop.entity.input': { args: [], kwargs: { a: 1 } },
            'traceloop.entity.output': '"done"',
          },
        ],
        ['embed', '', { 'llm.request.type': 'embedding', 'gen_ai.request.model': 'e', ...usage(500, 0) }],
      ),
    );
    expect(reading.unmapped).toEqual({ 'span embedding': 1 });
    expect(gist(reading.traces[0]!)).toEqual([
      ['tool_call', 'f', { a: 1 }],
      ['observation', 'done'],
    ]);
  });

  test('of Langfuse', () => {
    const trace = only(
      spans(
        ['run', '', { 'langfuse.observation.type': 'agent', 'langfuse.observation.input': { q: 'hi' } }],
        [
          'generation',
          'run',
          {
            'langfuse.observation.type': 'generation',
            'langfuse.observation.model.name': 'm',
            'langfuse.observation.input': [{ role: 'user', content: 'hi' }],
            'langfuse.observation.output': { role: 'assistant', content: 'I look.' },
            'langfuse.observation.usage_details': { input: 10, output: 5, total: 15 },
            'langfuse.observation.cost_details': { input: 0.1, total: 0.3 },
          },
        ],
        [
          'f',
          'run',
          {
            'langfuse.observation.type': 'tool',
            'langfuse.observation.input': { a: 1 },
            'langfuse.observation.level': 'ERROR',
            'langfuse.observation.status_message': 'no such city',
          },
        ],
      ),
    );
    expect(gist(trace)).toEqual([
      ['thought', 'I look.'],
      ['tool_call', 'f', { a: 1 }, 'error'],
      ['observation', 'no such city', 'error'],
    ]);
    expect(trace).toMatchObject({ tokens: { total: 15 }, cost: 0.3, models: ['m'], task: { objective: 'hi' } });
  });

  test('of LangSmith have messages of LangChain', () => {
    const lc = (name: string, kwargs: object) => ({ lc: 1, type: 'constructor', id: ['langchain', name], kwargs });
    const call = { name: 'f', args: { a: 1 }, id: 'z', type: 'tool_call' };
    const trace = only(
      spans(
        [
          'model',
          '',
          {
            'langsmith.span.kind': 'llm',
            'gen_ai.prompt': { messages: [[lc('SystemMessage', { content: 's' }), { type: 'human', content: 'hi' }]] },
            'gen_ai.completion': {
              generations: [[{ text: '', message: lc('AIMessageChunk', { content: '', tool_calls: [call] }) }]],
            },
          },
        ],
        ['f', '', { 'langsmith.span.kind': 'tool', 'gen_ai.prompt': { input: 'x' }, 'gen_ai.completion': 'r' }],
      ),
    );
    expect(trace.task).toEqual({ objective: 'hi', instructions: 's' });
    expect(gist(trace)).toEqual([
      ['tool_call', 'f', { a: 1 }],
      ['observation', 'r'],
    ]);
  });

  test('of Pydantic AI and Google ADK have events and parts', () => {
    const trace = only(
      spans(
        [
          'chat',
          '',
          {
            'gen_ai.operation.name': 'chat',
            events: [
              { 'event.name': 'gen_ai.user.message', role: 'user', content: 'hi' },
              { 'event.name': 'gen_ai.choice', message: { role: 'assistant', content: 'I look.' } },
            ],
          },
        ],
        ['running tool', '', { 'gen_ai.tool.name': 'f', tool_arguments: '{"a":1}', tool_response: 'r' }],
        [
          'call_llm',
          '',
          {
            'gen_ai.operation.name': 'generate_content',
            'gcp.vertex.agent.llm_response': {
              content: { role: 'model', parts: [{ text: 'So.' }, { functionCall: { name: 'g', args: { b: 2 } } }] },
            },
          },
        ],
      ),
    );
    expect(gist(trace)).toEqual([
      ['thought', 'I look.'],
      ['tool_call', 'f', { a: 1 }],
      ['observation', 'r'],
      ['thought', 'So.'],
      ['tool_call', 'g', { b: 2 }],
    ]);
  });

  test('of runs without an id that return the same are results of their own', () => {
    const run = { 'gen_ai.tool.name': 'f', 'gen_ai.tool.call.arguments': '{}', 'gen_ai.tool.call.result': '1' };
    const { steps } = only(spans(['a', '', run], ['b', '', run]));
    expect(steps.map(({ type, answers }) => [type, answers])).toEqual([
      ['tool_call', undefined],
      ['observation', 0],
      ['tool_call', undefined],
      ['observation', 2],
    ]);
  });

  test('of a request that is repeated after a failure are a retry', () => {
    const input = { 'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }] };
    const trace = only(
      spans(
        ['a', '', { 'gen_ai.operation.name': 'chat', ...input }, { status: { code: 2, message: 'slow down' } }],
        ['b', '', chat('one', input)],
      ),
    );
    expect(trace).toMatchObject({ errors: 1, retries: 1 });
  });
});

describe('logs of models', () => {
  test('of batches of Anthropic', () => {
    const message = { id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'one' }] };
    const failed = { type: 'error', error: { type: 'invalid_request_error', message: 'too long' } };
    const { traces, unmapped } = readTraces(
      [
        { custom_id: 'a', result: { type: 'succeeded', message } },
        { custom_id: 'b', result: { type: 'errored', error: failed } },
        { custom_id: 'c', result: { type: 'expired' } },
      ],
      { from: 'anthropic-log' },
    );
    expect(traces.map(gist)).toEqual([[['thought', 'one']]]);
    expect(unmapped).toEqual({ 'in a trace without steps': 2 });
  });

  test('have no traces of embeddings, and name streams and answers without content', () => {
    const ask = { messages: [{ role: 'user', content: 'hi' }] };
    const reading = readTraces(
      [
        { request: { input: ['x', 'y'] }, response: { object: 'list', data: [] } },
        { request: ask, response: [{ choices: [{ delta: { content: 'o' } }] }] },
        { request: ask, response: { choices: [{ message: { role: 'assistant', content: '' } }] } },
      ],
      { from: 'openai-log' },
    );
    expect(reading.traces).toEqual([]);
    expect(reading.unmapped).toEqual({ 'record list': 1, 'in a trace without steps': 2 });
    expect(reading.lost).toEqual({ 'streamed response': 1, 'answer without content': 1 });
  });
});

describe('sessions of Claude Code', () => {
  const line = (uuid: string, type: string, content: unknown, message: object = {}) => ({
    type,
    uuid,
    parentUuid: null,
    sessionId: 's',
    message: { role: type, content, ...message },
  });

  test('name lines that neither the user nor a model wrote', () => {
    const { traces, unmapped } = readTraces([
      line('a', 'user', '<local-command-stdout>cleared</local-command-stdout>'),
      line('b', 'user', 'Fix it.'),
      line('c', 'assistant', [{ type: 'text', text: 'Fixed.' }], { model: 'm' }),
      line('d', 'assistant', [{ type: 'text', text: 'No response requested.' }], { model: '<synthetic>' }),
    ]);
    expect(traces[0]?.task.objective).toBe('Fix it.');
    expect(traces.map(gist)).toEqual([[['thought', 'Fixed.']]]);
    expect(unmapped).toEqual({ 'output of a local command': 1, 'answer that no model gave': 1 });
  });

  test('of several turns in a stream last as long as all of them, and fail at a limit', () => {
    const turn = (subtype: string, total_cost_usd: number) => ({
      type: 'result',
      subtype,
      is_error: false,
      session_id: 's',
      duration_ms: 100,
      total_cost_usd,
    });
    const trace = only([line('a', 'assistant', 'one'), turn('success', 1), turn('error_max_turns', 3)], 'claude-code');
    expect(trace).toMatchObject({ latency_ms: 200, cost: 3, metadata: { success: false } });
  });
});
