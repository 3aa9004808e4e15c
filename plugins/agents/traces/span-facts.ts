import type { OfferedTool, TraceTokens } from './agent-trace.js';
import { Counts } from './agent-trace.js';
import { type Message, outputText, type Part, readMessages, readTools } from './messages.js';
import { unflatten } from './otlp-values.js';
import type { ToolRun } from './trace-builder.js';
import { anyOf, at, countOf, isMap, listOf, stringOf, unpacked } from './values.js';
import { hasMessages } from './wrapped-messages.js';

type Attributes = ReadonlyMap<string, unknown>;

/** The work of a span. A `part` groups other spans. */
export type SpanKind = 'model' | 'tool' | 'agent' | 'part';

const OPERATIONS: Readonly<Record<string, SpanKind>> = {
  chat: 'model',
  text_completion: 'model',
  generate_content: 'model',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: 'part',
  invoke_workflow: 'part',
  'ai.generateText': 'part',
  'ai.streamText': 'part',
  'ai.generateObject': 'part',
  'ai.streamObject': 'part',
  'ai.toolCall': 'tool',
  LLM: 'model',
  TOOL: 'tool',
  AGENT: 'agent',
  CHAIN: 'part',
  workflow: 'part',
  task: 'part',
  agent: 'agent',
  tool: 'tool',
  generation: 'model',
  llm: 'model',
  chain: 'part',
  span: 'part',
};

/** The attributes that say the work of a span. */
const KIND_KEYS = [
  'gen_ai.operation.name',
  'openinference.span.kind',
  'ai.operationId',
  'traceloop.span.kind',
  'langfuse.observation.type',
  'langsmith.span.kind',
];

/** The kind of a span by its attributes; undefined if it does not say, or has a kind that is not mapped. */
export function kindOf(attributes: Attributes): SpanKind | undefined {
  for (const key of KIND_KEYS) {
    const operation = stringOf(attributes.get(key));
    if (operation === undefined) continue;
    if (/^ai\.\w+\.do(?:Generate|Stream)$/.test(operation)) return 'model';
    return Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
  }
  const request = stringOf(attributes.get('llm.request.type'));
  if (request !== undefined) return request === 'chat' || request === 'completion' ? 'model' : undefined;
  if (attributes.has('gen_ai.tool.name')) return 'tool';
  return attributes.has('gen_ai.request.model') ? 'model' : undefined;
}

/** The name of a span without a mapped kind, for counts. */
export function unmappedKind(name: unknown, attributes: Attributes): string {
  const operation = [...KIND_KEYS, 'llm.request.type']
    .map((key) => stringOf(attributes.get(key)))
    .find((found) => found !== undefined);
  return operation === undefined ? `span ${stringOf(name) ?? 'without a name'}` : `span ${operation}`;
}

const first = (attributes: Attributes, keys: readonly string[]): unknown => {
  for (const key of keys) {
    const found = attributes.get(key);
    if (found !== undefined && found !== '') return found;
  }
  return undefined;
};

/** The messages that a request had. */
export function inputMessages(attributes: Attributes, lost: Counts): Message[] {
  const system = first(attributes, ['gen_ai.system_instructions']);
  const prompt = unpacked(attributes.get('ai.prompt'));
  return [
    ...(system === undefined ? [] : asSystem(system, lost)),
    ...read(
      unflatten(attributes, 'llm.input_messages') ??
        unflatten(attributes, 'gen_ai.prompt') ??
        first(attributes, ['gen_ai.input.messages', 'ai.prompt.messages', 'gen_ai.prompt']) ??
        at(prompt, 'messages') ??
        at(prompt, 'prompt') ??
        at(unpacked(attributes.get('gcp.vertex.agent.llm_request')), 'contents') ??
        messagesIn(attributes.get('langfuse.observation.input')),
      lost,
      'user',
    ),
  ];
}

/** A value that has messages; other values are texts or data. */
function messagesIn(value: unknown): unknown {
  const found = unpacked(value);
  return hasMessages(found) ? found : undefined;
}

const read = (value: unknown, lost: Counts, role: Message['role']): Message[] =>
  value === undefined ? [] : readMessages(value, lost, role);

/** System instructions are a list of parts, or a text. */
function asSystem(value: unknown, lost: Counts): Message[] {
  const found = unpacked(value);
  return readMessages([{ role: 'system', content: found }], lost);
}

/** The messages that a model answered with. */
export function outputMessages(attributes: Attributes, lost: Counts): Message[] {
  const calls = attributes.get('ai.response.toolCalls');
  const text = first(attributes, ['ai.response.text', 'ai.response.object']);
  const thought = attributes.get('ai.response.reasoning');
  if (calls !== undefined || text !== undefined || thought !== undefined) {
    const message = { role: 'assistant', reasoning: thought, content: text, tool_calls: unpacked(calls) };
    return readMessages([message], lost, 'assistant');
  }
  return read(
    unflatten(attributes, 'llm.output_messages') ??
      unflatten(attributes, 'gen_ai.completion') ??
      first(attributes, ['gen_ai.output.messages', 'gen_ai.completion']) ??
      at(unpacked(attributes.get('gcp.vertex.agent.llm_response')), 'content') ??
      messagesIn(attributes.get('langfuse.observation.output')),
    lost,
    'assistant',
  );
}

/** The text that an agent was given or returned, or a model without messages. */
export function plainMessages(attributes: Attributes, key: 'input' | 'output', lost: Counts): Message[] {
  const value =
    attributes.get(`${key}.value`) ??
    attributes.get(`traceloop.entity.${key}`) ??
    attributes.get(`langfuse.observation.${key}`);
  if (value === undefined) return [];
  const data = unpacked(value);
  const messages = at(data, 'messages') ?? at(data, 'inputs', 'messages');
  const role = key === 'input' ? 'user' : 'assistant';
  if (messages !== undefined) return readMessages(messages, lost, role);
  const part: Part = { kind: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) };
  return [{ role, parts: [part] }];
}

export function tokensOf(own: Attributes, lost: Counts): TraceTokens | undefined {
  const attributes = withUsage(own);
  const count = (...keys: readonly string[]): number | undefined => {
    const value = first(attributes, keys);
    const found = countOf(value);
    if (value !== undefined && found === undefined) lost.add('tokens that are not a count');
    return found;
  };
  let input = count(
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
  );
  const output = count(
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  );
  const total = count(
    'gen_ai.usage.total_tokens',
    'llm.usage.total_tokens',
    'llm.token_count.total',
    'ai.usage.totalTokens',
  );
  const cached = count(
    'gen_ai.usage.cache_read.input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
    'gen_ai.usage.cache_read_input_tokens',
  );
  const reasoning = count(
    'gen_ai.usage.reasoning.output_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.reasoningTokens',
  );
  if (input === undefined && output === undefined && total === undefined) return undefined;
  // Some exporters of Anthropic leave cached tokens out of the input.
  if (input !== undefined && cached !== undefined && cached > input)
    input +=
      cached + (count('gen_ai.usage.cache_creation.input_tokens', 'gen_ai.usage.cache_creation_input_tokens') ?? 0);
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    total: total ?? (input ?? 0) + (output ?? 0),
    ...(cached !== undefined && { cached }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

/** Whether a span counts tokens or cost. */
export const hasUsage = (attributes: Attributes): boolean =>
  tokensOf(attributes, new Counts()) !== undefined || costOf(attributes) !== undefined;

/** Attributes with those that Langfuse writes as a map in JSON. */
function withUsage(attributes: Attributes): Attributes {
  const usage = unpacked(attributes.get('langfuse.observation.usage_details'));
  if (!isMap(usage)) return attributes;
  const named: [string, unknown][] = [
    ['gen_ai.usage.input_tokens', anyOf(usage, 'input', 'prompt_tokens', 'input_tokens')],
    ['gen_ai.usage.output_tokens', anyOf(usage, 'output', 'completion_tokens', 'output_tokens')],
    ['gen_ai.usage.total_tokens', anyOf(usage, 'total', 'total_tokens')],
    ['gen_ai.usage.cache_read.input_tokens', anyOf(usage, 'input_cached_tokens', 'cache_read_input_tokens')],
  ];
  return new Map([...named.filter(([, value]) => value !== undefined), ...attributes]);
}

export const costOf = (attributes: Attributes): number | undefined =>
  countOf(
    first(attributes, ['gen_ai.usage.cost', 'llm.cost.total', 'gen_ai.cost.total_cost', 'ai.usage.cost']) ??
      at(unpacked(attributes.get('langfuse.observation.cost_details')), 'total'),
  );

export const modelOf = (attributes: Attributes): string | undefined =>
  stringOf(
    first(attributes, [
      'gen_ai.response.model',
      'ai.response.model',
      'gen_ai.request.model',
      'llm.model_name',
      'ai.model.id',
      'langfuse.observation.model.name',
    ]),
  );

export const agentOf = (attributes: Attributes): string | undefined =>
  stringOf(first(attributes, ['gen_ai.agent.name', 'agent.name', 'gen_ai.agent.id', 'traceloop.entity.name']));

/** Whether a model stopped to call tools. */
export const stoppedForTools = (attributes: Attributes): boolean =>
  [
    ...listOf(attributes.get('gen_ai.response.finish_reasons')),
    attributes.get('ai.response.finishReason'),
    attributes.get('llm.finish_reason'),
  ].some((reason) => typeof reason === 'string' && /tool|function/.test(reason));

/** The tools that a model could call. */
export function toolsOf(attributes: Attributes): OfferedTool[] {
  const value =
    unflatten(attributes, 'llm.tools') ??
    first(attributes, ['gen_ai.tool.definitions', 'ai.prompt.tools']) ??
    unflatten(attributes, 'llm.request.functions');
  return readTools(value);
}

/** The run of a tool. */
export function toolRun(name: unknown, attributes: Attributes, lost: Counts): Omit<ToolRun, 'error'> {
  const output = first(attributes, [
    'gen_ai.tool.call.result',
    'ai.toolCall.result',
    'output.value',
    'traceloop.entity.output',
    'langfuse.observation.output',
    'gcp.vertex.agent.tool_response',
    'tool_response',
    'gen_ai.completion',
  ]);
  return {
    id: stringOf(first(attributes, ['gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id', 'tool.id'])),
    name:
      stringOf(
        first(attributes, [
          'gen_ai.tool.name',
          'ai.toolCall.name',
          'tool.name',
          'tool_call.function.name',
          'traceloop.entity.name',
        ]),
      ) ??
      stringOf(name) ??
      'unknown',
    input: toolInput(
      first(attributes, [
        'gen_ai.tool.call.arguments',
        'ai.toolCall.args',
        'tool_call.function.arguments',
        'tool.parameters',
        'input.value',
        'traceloop.entity.input',
        'langfuse.observation.input',
        'gcp.vertex.agent.tool_call_args',
        'tool_arguments',
        'gen_ai.prompt',
      ]),
    ),
    output: output === undefined ? undefined : outputText(unpackedText(output), lost),
  };
}

/** The arguments of a tool, which OpenLLMetry and LangSmith wrap. */
function toolInput(value: unknown): unknown {
  const found = unpacked(value);
  const [args, kwargs] = [at(found, 'args'), at(found, 'kwargs')];
  if (Array.isArray(args) && args.length === 0 && isMap(kwargs)) return kwargs;
  const inputs = at(found, 'inputs');
  return isMap(inputs) ? inputs : found;
}

/** The text of a JSON string, such as `"18 degrees"`; other JSON stays text. */
function unpackedText(value: unknown): unknown {
  const data = unpacked(value);
  return typeof data === 'string' || Array.isArray(data) ? data : value;
}
