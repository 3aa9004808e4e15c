import { TraceCollector } from './collector.js';
import type { AgentStep, TraceTokens } from './agent-trace.js';
import { type Message, readMessage } from './messages.js';
import { TraceBuilder } from './trace-builder.js';
import { anyOf, at, countOf, isMap, type JsonMap, stringOf, textOf, timeOf } from './values.js';

/** A session, or a sidechain of it. */
interface Chain {
  readonly builder: TraceBuilder;
  /** The messages of users by the line that they follow. A second one is a branch. */
  readonly prompts: Map<string, number>;
}

/** The tokens of an answer, whose blocks are lines of their own with growing counts. */
interface Usage {
  readonly builder: TraceBuilder;
  step: AgentStep | undefined;
  tokens: TraceTokens | undefined;
}

/**
 * Reads sessions of Claude Code. A session is a trace, and each of its sidechains is another. Lines are in the order in
 * which they were written; `parentUuid` only assigns lines to sidechains, so that a cycle or a missing parent is harmless.
 */
export class ClaudeCodeCollector extends TraceCollector {
  readonly #chains = new Map<string, Chain>();
  /** The chain of a line. */
  readonly #chainOf = new Map<string, Chain>();
  readonly #seen = new Set<string>();
  readonly #summaries: JsonMap[] = [];
  readonly #usages = new Map<string, Usage>();

  constructor() {
    super('claude-code');
  }

  add(line: unknown): void {
    this.records += 1;
    const type = stringOf(at(line, 'type'));
    if (!isMap(line) || type === undefined) return this.unmapped.add('line without a type');
    if (type === 'summary') return void this.#summaries.push(line);
    const session = stringOf(anyOf(line, 'sessionId', 'session_id'));
    if (session === undefined) return this.unmapped.add(`line ${type}`);
    const uuid = stringOf(at(line, 'uuid'));
    if (uuid !== undefined) {
      if (this.#seen.has(uuid)) return this.unmapped.add('repeated line');
      this.#seen.add(uuid);
    }
    const chain = this.#chain(line, session);
    if (uuid !== undefined) this.#chainOf.set(uuid, chain);
    const obstacle = this.#read(line, type, chain);
    if (obstacle !== undefined) return this.unmapped.add(obstacle);
    chain.builder.records += 1;
    chain.builder.span(timeOf(at(line, 'timestamp')));
  }

  /** The session, or the sidechain by the id of its agent, else by its first line. */
  #chain(line: JsonMap, session: string): Chain {
    const main = `kp:trace:${session}`;
    // Without files of sessions, the stream of messages names the call that started a sub-agent.
    const call = stringOf(at(line, 'parent_tool_use_id'));
    if (at(line, 'isSidechain') !== true && call === undefined) return this.#open(main);
    const parent = stringOf(at(line, 'parentUuid'));
    const known = parent === undefined ? undefined : this.#chainOf.get(parent);
    const agent = stringOf(at(line, 'agentId')) ?? call;
    if (agent === undefined && known && known.builder.parent !== undefined) return known;
    const own = agent ?? stringOf(at(line, 'uuid')) ?? 'sidechain';
    return this.#open(`${main}/${own}`, main);
  }

  #open(id: string, parent?: string): Chain {
    let chain = this.#chains.get(id);
    if (!chain) {
      const builder = new TraceBuilder(id, this.format, this.lost);
      builder.framework = 'claude-code';
      builder.domain = 'code';
      builder.parent = parent;
      chain = { builder, prompts: new Map() };
      this.#chains.set(id, chain);
    }
    return chain;
  }

  /** Reads a line into its chain. Returns the kind of a line that is not mapped. */
  #read(line: JsonMap, type: string, chain: Chain): string | undefined {
    const { builder } = chain;
    switch (type) {
      case 'user':
        return this.#readUser(line, chain);
      case 'assistant':
        return this.#readAssistant(line, chain);
      case 'system':
        return readSystem(line, builder);
      case 'result':
        return readOutcome(line, builder);
      case 'ai-title':
      case 'custom-title':
        builder.title = stringOf(anyOf(line, 'customTitle', 'aiTitle', 'title')) ?? builder.title;
        return undefined;
      case 'agent-name':
        builder.agent = stringOf(at(line, 'agentName')) ?? builder.agent;
        return undefined;
      case 'attachment': {
        const kind = textOf(at(line, 'attachment', 'type'));
        const prompt = at(line, 'attachment', 'prompt');
        if (kind !== 'queued_command' || prompt === undefined) return `attachment ${kind}`;
        this.#add(chain, readMessage({ role: 'user', content: prompt }, this.lost), line);
        return undefined;
      }
      case 'progress':
        return `progress ${textOf(at(line, 'data', 'type'))}`;
      default:
        return `line ${type}`;
    }
  }

  #add({ builder }: Chain, message: Message, line: JsonMap): void {
    // Each line has new content, so parts are not compared with earlier ones.
    builder.answer([message], builder.main, { time: timeOf(at(line, 'timestamp')) });
  }

  #readUser(line: JsonMap, chain: Chain): string | undefined {
    if (at(line, 'isMeta') === true) return 'note of Claude Code to the model';
    const { builder, prompts } = chain;
    if (at(line, 'isCompactSummary') === true) return 'summary after a compaction';
    const message = readMessage(at(line, 'message'), this.lost);
    if (message.parts.length === 0) return 'message of a user without content';
    if (message.parts.every((part) => part.kind === 'text' && LOCAL_OUTPUT.test(part.text))) {
      return 'output of a local command';
    }
    const parent = stringOf(at(line, 'parentUuid'));
    if (parent !== undefined && message.parts.some(({ kind }) => kind === 'text')) {
      const count = (prompts.get(parent) ?? 0) + 1;
      prompts.set(parent, count);
      if (count > 1) builder.branches += 1;
    }
    this.#add(chain, message, line);
    const result = at(line, 'toolUseResult');
    for (const part of message.parts) {
      const call = part.kind === 'result' && part.id !== undefined ? builder.call(part.id) : undefined;
      if (!call) continue;
      const agent = stringOf(at(result, 'agentId'));
      if (agent !== undefined) call.sidechain = `kp:trace:${textOf(at(line, 'sessionId'))}/${agent}`;
      const latency = countOf(anyOf(result, 'totalDurationMs', 'durationMs'));
      if (latency !== undefined) call.latency_ms = latency;
    }
    return undefined;
  }

  #readAssistant(line: JsonMap, chain: Chain): string | undefined {
    const { builder } = chain;
    const message = readMessage(at(line, 'message'), this.lost, 'assistant');
    if (at(line, 'isApiErrorMessage') === true) {
      builder.fail(message.parts.map((part) => ('text' in part ? part.text : '')).join('\n') || 'API error');
      return undefined;
    }
    const cost = countOf(at(line, 'costUSD'));
    const model = stringOf(at(line, 'message', 'model'));
    if (model === '<synthetic>') return 'answer that no model gave';
    const tokens = tokensOf(at(line, 'message', 'usage'));
    if (tokens === undefined && message.parts.length === 0) return 'answer without content';
    const id = stringOf(at(line, 'message', 'id'));
    const key = `${builder.id} ${id ?? this.records}`;
    const earlier = this.#usages.get(key);
    const step = builder.answer([message], builder.main, {
      time: timeOf(at(line, 'timestamp')),
      model: earlier ? undefined : model,
      cost,
      id,
    });
    builder.responseId = id ?? builder.responseId;
    const usage = earlier ?? { builder, step, tokens };
    usage.step ??= step;
    if (tokens && (tokens.output ?? 0) >= (usage.tokens?.output ?? 0)) usage.tokens = tokens;
    this.#usages.set(key, usage);
    return undefined;
  }

  protected *build(): Iterable<TraceBuilder> {
    for (const { builder, step, tokens } of this.#usages.values()) {
      if (step && tokens) step.tokens = tokens;
      builder.spend(tokens);
    }
    for (const summary of this.#summaries) {
      const chain = this.#chainOf.get(textOf(at(summary, 'leafUuid')));
      if (!chain) {
        this.unmapped.add('summary of another session');
        continue;
      }
      chain.builder.records += 1;
      chain.builder.title ??= stringOf(at(summary, 'summary'));
    }
    const builders = Array.from(this.#chains.values(), ({ builder }) => builder);
    for (const builder of builders) this.#linkSidechain(builder);
    yield* builders;
  }

  /** Links the call that started a sidechain, if its result does not: its prompt is the sidechain's first message. */
  #linkSidechain(builder: TraceBuilder): void {
    const parent = builder.parent === undefined ? undefined : this.#chains.get(builder.parent)?.builder;
    const named = parent?.call(builder.id.slice(parent.id.length + 1));
    if (named) named.sidechain = builder.id;
    if (!parent || named || builder.objective === undefined) return;
    const starts = parent.callsWith('prompt', builder.objective);
    if (starts.some(({ sidechain }) => sidechain === builder.id)) return;
    const start = starts.find(({ sidechain }) => sidechain === undefined);
    if (start) start.sidechain = builder.id;
  }
}

const LOCAL_OUTPUT = /^<local-command-std(?:out|err)>/;

/** Reads the last line of a turn in a stream. The cost includes earlier turns, the duration does not. */
function readOutcome(line: JsonMap, builder: TraceBuilder): undefined {
  builder.success = at(line, 'is_error') !== true && !textOf(at(line, 'subtype')).startsWith('error');
  builder.cost = countOf(at(line, 'total_cost_usd')) ?? builder.cost;
  const duration = countOf(at(line, 'duration_ms'));
  if (duration !== undefined) builder.latency = (builder.latency ?? 0) + duration;
}

function readSystem(line: JsonMap, builder: TraceBuilder): string | undefined {
  const subtype = textOf(at(line, 'subtype'));
  switch (subtype) {
    case 'compact_boundary':
      builder.compactions += 1;
      return undefined;
    case 'api_error': {
      const cause = anyOf(line, 'cause', 'error');
      builder.fail(stringOf(anyOf(cause, 'code', 'message')) ?? textOf(at(line, 'content')));
      if (countOf(at(line, 'retryAttempt')) !== undefined) builder.modelRetries += 1;
      return undefined;
    }
    default:
      return `system ${subtype}`;
  }
}

/** Anthropic counts cached input apart from `input_tokens`. */
export function tokensOf(usage: unknown): TraceTokens | undefined {
  const fresh = countOf(at(usage, 'input_tokens'));
  const output = countOf(at(usage, 'output_tokens'));
  if (fresh === undefined && output === undefined) return undefined;
  const cached = countOf(at(usage, 'cache_read_input_tokens'));
  const input = (fresh ?? 0) + (cached ?? 0) + (countOf(at(usage, 'cache_creation_input_tokens')) ?? 0);
  return {
    input,
    ...(output !== undefined && { output }),
    total: input + (output ?? 0),
    ...(cached !== undefined && { cached }),
  };
}
