import type { TraceTokens } from './agent-trace.js';
import { tokensOf as anthropicTokensOf } from './claude-code.js';
import { TraceCollector } from './collector.js';
import { type Message, readMessage, readMessages, readTools } from './messages.js';
import { TraceBuilder } from './trace-builder.js';
import { anyOf, at, canonical, countOf, isMap, stringOf, textOf, timeOf, unpacked } from './values.js';

/** A request to a model, with its response. */
interface Exchange {
  readonly request: unknown;
  readonly response: unknown;
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  /** The error of a failed request. */
  readonly error: string | undefined;
}

/**
 * Reads requests to OpenAI (chat completions and Responses) or Anthropic, with their responses. A request continues a
 * trace if it names the previous response or the same conversation, or if it repeats the messages of an earlier one.
 */
export class ModelLogCollector extends TraceCollector {
  readonly #builders = new Set<TraceBuilder>();
  readonly #ids = new Set<string>();
  readonly #byName = new Map<string, TraceBuilder>();
  /** By the messages so far, which a continued request begins with. */
  readonly #byHistory = new Map<string, TraceBuilder>();
  /** Failed requests by their messages. */
  readonly #failed = new Map<string, TraceBuilder>();

  add(record: unknown): void {
    this.records += 1;
    const exchange = this.#exchange(record);
    if (typeof exchange === 'string') return this.unmapped.add(exchange);
    const { request, response, input, output, error } = exchange;
    const answer = stringOf(at(response, 'id'));
    if (answer !== undefined && this.#byName.has(`response ${answer}`)) return this.unmapped.add('repeated response');
    const inputKeys = historyKeys(input);
    const name = nameOf(record, request, response);
    const retried = this.#failed.get(inputKeys.at(-1) ?? '');
    const builder = this.#find(name, exchange, inputKeys) ?? retried ?? this.#open(name, response);
    if (retried === builder) builder.modelRetries += 1;
    builder.records += 1;
    const began = timeOf(anyOf(record, 'timestamp', 'time', 'start_time', 'startTime', 'created_at', 'started_at'));
    const time = began ?? timeOf(anyOf(response, 'created', 'created_at'));
    const latency = countOf(anyOf(record, 'latency_ms', 'latencyMs', 'duration_ms', 'durationMs'));
    builder.span(time, time === undefined ? undefined : time + (latency ?? 0));
    if (builder.tools.length === 0) builder.tools = readTools(anyOf(request, 'tools', 'functions'));
    builder.take(input, builder.main, time);
    const tokens = this.#tokens(at(response, 'usage'));
    const cost = countOf(anyOf(record, 'cost', 'cost_usd', 'total_cost')) ?? countOf(at(response, 'usage', 'cost'));
    const model =
      stringOf(anyOf(response, 'model')) ?? (error === undefined ? stringOf(at(request, 'model')) : undefined);
    builder.responseId = answer ?? builder.responseId;
    builder.answer(output, builder.main, { time, latency, model, tokens, cost });
    if (error !== undefined) builder.fail(error);
    this.#remember(builder, exchange, inputKeys);
  }

  #open(name: string | undefined, response: unknown): TraceBuilder {
    const wanted = name ?? stringOf(at(response, 'id')) ?? String(this.records);
    const id = this.#ids.has(wanted) ? `${wanted}#${this.records}` : wanted;
    this.#ids.add(id);
    const builder = new TraceBuilder(`kp:trace:${id}`, this.format, this.lost);
    builder.framework = this.format === 'openai-log' ? 'openai' : 'anthropic';
    this.#builders.add(builder);
    if (name !== undefined) this.#byName.set(name, builder);
    return builder;
  }

  #find(name: string | undefined, { request }: Exchange, keys: readonly string[]): TraceBuilder | undefined {
    const previous = stringOf(at(request, 'previous_response_id'));
    const named = previous === undefined ? undefined : this.#byName.get(`response ${previous}`);
    if (named) return named;
    if (name !== undefined) return this.#byName.get(name);
    for (const key of keys.toReversed()) {
      const builder = this.#byHistory.get(key);
      if (builder) return builder;
    }
    return undefined;
  }

  /** Remembers what a request that continues this one begins with. */
  #remember(builder: TraceBuilder, { input, output, error, response }: Exchange, keys: readonly string[]): void {
    const id = stringOf(at(response, 'id'));
    if (id !== undefined) this.#byName.set(`response ${id}`, builder);
    if (error !== undefined) {
      const last = keys.at(-1);
      if (last !== undefined) this.#failed.set(last, builder);
      return;
    }
    const last = historyKeys([...input, ...output]).at(-1);
    if (output.some(({ parts }) => parts.length > 0) && last !== undefined) this.#byHistory.set(last, builder);
  }

  /** Reads the parts of a record; the kind of the record if it is not a request or a response. */
  #exchange(record: unknown): Exchange | string {
    if (!isMap(record)) return 'record that is not an object';
    // Files of Anthropic's batches have `params` and `result`.
    const result = at(record, 'result');
    const wrapped = anyOf(record, 'request', 'response', 'body', 'params', 'result') !== undefined;
    const request = bodyOf(anyOf(record, 'request', 'body', 'params') ?? (wrapped ? undefined : record));
    const response = bodyOf(anyOf(record, 'response') ?? at(result, 'message') ?? (wrapped ? undefined : record));
    if (at(response, 'object') === 'list') return 'record list';
    const error = failureOf(record, response) ?? batchFailureOf(result);
    const system = anyOf(request, 'system', 'instructions');
    const asked = anyOf(request, 'messages', 'input', 'prompt');
    const input = [
      ...(system === undefined ? [] : readMessages([{ role: 'system', content: system }], this.lost)),
      ...(asked === undefined ? [] : readMessages(asked, this.lost)),
    ];
    const output = this.#output(response);
    if (input.length === 0 && output === undefined && error === undefined) {
      return stringOf(at(record, 'response')) === undefined
        ? `record ${stringOf(anyOf(response, 'object', 'type')) ?? 'without messages'}`
        : 'streamed response';
    }
    if (output === undefined && error === undefined && at(record, 'response') !== undefined) {
      const isStream = typeof response === 'string' || Array.isArray(response);
      this.lost.add(isStream ? 'streamed response' : 'response without messages');
    }
    if (output && error === undefined && output.every(({ parts }) => parts.length === 0)) {
      this.lost.add('answer without content');
    }
    return { request, response, input, output: output ?? [], error };
  }

  /** The messages of a response: those of chat completions, Responses, or Anthropic. */
  #output(response: unknown): Message[] | undefined {
    const choices = at(response, 'choices');
    if (Array.isArray(choices)) {
      if (choices.length > 1) this.lost.add('another choice of a response', choices.length - 1);
      const [choice] = choices;
      const message = at(choice, 'message') ?? at(choice, 'text');
      return message === undefined ? undefined : [readMessage(message, this.lost, 'assistant')];
    }
    const items = at(response, 'output');
    if (Array.isArray(items)) {
      // The items of a response are one answer, so that its calls are parallel.
      const messages = items.map((item) => readMessage(item, this.lost, 'assistant'));
      return [{ role: 'assistant', parts: messages.flatMap(({ parts }) => parts) }];
    }
    if (at(response, 'role') !== 'assistant' || at(response, 'content') === undefined) return undefined;
    return [readMessage(response, this.lost, 'assistant')];
  }

  #tokens(usage: unknown): TraceTokens | undefined {
    if (this.format === 'anthropic-log') return anthropicTokensOf(usage);
    const input = countOf(anyOf(usage, 'prompt_tokens', 'input_tokens'));
    const output = countOf(anyOf(usage, 'completion_tokens', 'output_tokens'));
    if (input === undefined && output === undefined) return undefined;
    const cached = countOf(at(anyOf(usage, 'prompt_tokens_details', 'input_tokens_details'), 'cached_tokens'));
    const reasoning = countOf(
      at(anyOf(usage, 'completion_tokens_details', 'output_tokens_details'), 'reasoning_tokens'),
    );
    return {
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      total: countOf(at(usage, 'total_tokens')) ?? (input ?? 0) + (output ?? 0),
      ...(cached !== undefined && { cached }),
      ...(reasoning !== undefined && { reasoning }),
    };
  }

  protected build(): Iterable<TraceBuilder> {
    return this.#builders;
  }
}

/** A body, which loggers of HTTP wrap and may keep as text. */
function bodyOf(value: unknown): unknown {
  const found = unpacked(value);
  const body = at(found, 'body');
  return body === undefined ? found : unpacked(body);
}

/** The error of a failed request: the provider's message, or the status. */
function failureOf(record: unknown, response: unknown): string | undefined {
  const error = anyOf(response, 'error') ?? at(record, 'error');
  if (error !== undefined && error !== false) return stringOf(at(error, 'message')) ?? textOf(error);
  const status = countOf(at(record, 'status') ?? anyOf(at(record, 'response'), 'status', 'status_code'));
  return status !== undefined && status >= 400 ? `status ${status}` : undefined;
}

/** The error of a request in a batch, which may also have expired or been canceled. */
function batchFailureOf(result: unknown): string | undefined {
  const type = stringOf(at(result, 'type'));
  if (type === undefined || type === 'succeeded') return undefined;
  return stringOf(at(result, 'error', 'error', 'message')) ?? type;
}

/** The name of the conversation or the run that a record belongs to. */
function nameOf(record: unknown, request: unknown, response: unknown): string | undefined {
  const conversation = anyOf(request, 'conversation') ?? anyOf(response, 'conversation');
  const keys = ['trace_id', 'traceId', 'session_id', 'sessionId', 'conversation_id', 'conversationId', 'thread_id'];
  return (
    stringOf(anyOf(record, ...keys)) ??
    stringOf(anyOf(at(record, 'metadata'), ...keys)) ??
    stringOf(anyOf(at(request, 'metadata'), ...keys)) ??
    stringOf(at(conversation, 'id')) ??
    stringOf(conversation)
  );
}

/** A key of each beginning of a conversation. Reasoning is not part of it, since requests may omit it. */
function historyKeys(messages: readonly Message[]): string[] {
  const hash = new Hash();
  return messages.map(({ role, parts }) => {
    for (const part of parts) if (part.kind !== 'thinking') hash.add(`${role} ${canonical(part)}\n`);
    return hash.text;
  });
}

/** Two hashes of 32 bits, by FNV-1a with different primes. */
class Hash {
  #first = 0x811c9dc5;
  #second = 0x01000193;
  #length = 0;

  add(text: string): void {
    for (let k = 0; k < text.length; k += 1) {
      const code = text.charCodeAt(k);
      this.#first = Math.imul(this.#first ^ code, 0x01000193);
      this.#second = Math.imul(this.#second ^ code, 0x85ebca6b);
    }
    this.#length += text.length;
  }

  get text(): string {
    return `${this.#first >>> 0}.${this.#second >>> 0}.${this.#length}`;
  }
}
