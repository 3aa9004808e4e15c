import type { AgentStep, AgentTrace, OfferedTool, TraceFormat, TraceSource, TraceTokens } from './agent-trace.js';
import type { Counts } from './agent-trace.js';
import type { Message, Part } from './messages.js';
import { at, canonical, isMap, isoOf } from './values.js';

/** What the log knows of an answer of a model. */
export interface AnswerFacts {
  readonly time?: number | undefined;
  readonly latency?: number | undefined;
  readonly model?: string | undefined;
  readonly tokens?: TraceTokens | undefined;
  readonly cost?: number | undefined;
  /** The log's id of the answer, if the log has its parts one by one. */
  readonly id?: string | undefined;
}

/** A run of a tool that is recorded apart from the messages. */
export interface ToolRun {
  readonly id?: string | undefined;
  readonly name: string;
  readonly input?: unknown;
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  readonly time?: number | undefined;
  readonly latency?: number | undefined;
}

/** The conversation of one agent of a trace. */
export interface Thread {
  /** The name of the agent, if it is not the trace's. */
  readonly agent: string | undefined;
  /** How often each part occurred. */
  readonly seen: Map<string, number>;
  /** Whether the next call follows an observation that reports an error. */
  hasFailed: boolean;
}

export const newThread = (agent?: string): Thread => ({ agent, seen: new Map(), hasFailed: false });

type CallPart = Extract<Part, { kind: 'call' }>;
type ResultPart = Extract<Part, { kind: 'result' }>;

/** The context of KnowledgePulse traces. */
const CONTEXT = 'https://openknowledgepulse.org/schema/v1';

/**
 * Builds the steps of a trace. Requests to a model repeat the conversation so far: a part becomes a step when it occurs
 * more often than before.
 */
export class TraceBuilder {
  readonly main = newThread();
  readonly models = new Set<string>();
  records = 0;
  objective: string | undefined;
  title: string | undefined;
  parent: string | undefined;
  origin: TraceSource['span'];
  /** The provider's id of the last response. */
  responseId: string | undefined;
  framework: string | undefined;
  agent: string | undefined;
  domain = 'general';
  success: boolean | undefined;
  compactions = 0;
  branches = 0;
  modelRetries = 0;
  /** The messages of failed requests, which a second attempt repeats. */
  readonly failedRequests = new Set<string>();
  latency: number | undefined;
  tools: OfferedTool[] = [];
  /** A cost of the whole trace, in place of the sum. */
  cost: number | undefined;
  readonly #steps: AgentStep[] = [];
  readonly #instructions: string[] = [];
  /** The step of a call by its id in the log. */
  readonly #calls = new Map<string, AgentStep>();
  /** The key of each call: its tool and arguments. */
  readonly #keys = new Map<AgentStep, string>();
  /** Calls by tool, and by key: those that were answered or run leave when they are looked up. */
  readonly #waiting = new Map<string, AgentStep[]>();
  readonly #settled = new Set<AgentStep>();
  readonly #answered = new Set<AgentStep>();
  /** Failed calls by key. */
  readonly #failed = new Map<string, number>();
  /** The calls of an answer by its id. */
  readonly #answers = new Map<string, AgentStep[]>();
  readonly #tokens: TraceTokens = {};
  #costs: number | undefined;
  #begin = Number.POSITIVE_INFINITY;
  #end = Number.NEGATIVE_INFINITY;
  #groups = 0;
  #lastRun: { readonly step: AgentStep; readonly end: number } | undefined;
  #modelErrors = 0;
  #lastError: { readonly message: string; readonly steps: number } | undefined;

  constructor(
    readonly id: string,
    readonly format: TraceFormat,
    readonly lost: Counts,
  ) {}

  get hasUsage(): boolean {
    return this.#costs !== undefined || Object.keys(this.#tokens).length > 0;
  }

  get length(): number {
    return this.#steps.length;
  }

  /** Extends the time of the trace. */
  span(begin: number | undefined, end = begin): void {
    if (begin !== undefined) this.#begin = Math.min(this.#begin, begin);
    if (end !== undefined) this.#end = Math.max(this.#end, end);
  }

  /** Adds the messages of a request, without those that earlier requests and answers had. */
  take(messages: readonly Message[], thread = this.main, time?: number): void {
    const counts = new Map<string, number>();
    for (const { role, parts } of messages) {
      for (const part of parts) {
        const key = partKey(role, part);
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        if (count <= (thread.seen.get(key) ?? 0)) continue;
        thread.seen.set(key, count);
        this.#add(role, part, thread, time);
      }
    }
  }

  /**
   * Adds the answer of a model. Its tokens and cost are those of its first step.
   *
   * @returns its first step
   */
  answer(
    messages: readonly Message[],
    thread: Thread,
    { time, latency, model, tokens, cost, id }: AnswerFacts,
  ): AgentStep | undefined {
    const first = this.#steps.length;
    const calls = (id === undefined ? undefined : this.#answers.get(id)) ?? [];
    if (id !== undefined) this.#answers.set(id, calls);
    for (const { role, parts } of messages) {
      for (const part of parts) {
        const key = partKey(role, part);
        thread.seen.set(key, (thread.seen.get(key) ?? 0) + 1);
        const step = this.#add(role, part, thread, time);
        if (part.kind === 'call' && step) calls.push(step);
      }
    }
    if (calls.length > 1) {
      const group = calls[0]?.parallel ?? (this.#groups += 1);
      for (const call of calls) call.parallel = group;
    }
    const step = this.#steps[first];
    if (model !== undefined) this.models.add(model);
    if (step) {
      if (model !== undefined) step.model = model;
      if (tokens && Object.keys(tokens).length > 0) step.tokens = tokens;
      if (cost !== undefined) step.cost = cost;
      if (latency !== undefined && step.type === 'thought') step.latency_ms = rounded(latency);
    }
    this.spend(tokens, cost);
    return step;
  }

  /** Adds an answer whose content is not in the log. */
  answerWithoutContent(thread: Thread, facts: AnswerFacts): void {
    this.lost.add('answer without content');
    this.#push({ type: 'thought' }, thread, facts.time);
    this.answer([], thread, facts);
    const step = this.#steps.at(-1);
    if (!step) return;
    if (facts.model !== undefined) step.model = facts.model;
    if (facts.tokens) step.tokens = facts.tokens;
    if (facts.cost !== undefined) step.cost = facts.cost;
    if (facts.latency !== undefined) step.latency_ms = rounded(facts.latency);
  }

  /** Counts tokens and cost of the trace. */
  spend(tokens: TraceTokens | undefined, cost?: number): void {
    for (const key of ['input', 'output', 'total', 'cached', 'reasoning'] as const) {
      const count = tokens?.[key];
      if (count !== undefined) this.#tokens[key] = (this.#tokens[key] ?? 0) + count;
    }
    if (cost !== undefined) this.#costs = (this.#costs ?? 0) + cost;
  }

  /** Adds a run of a tool: to the call in the messages, or as a call of its own. */
  run({ id, name, input, output, error, time, latency }: ToolRun, thread: Thread): void {
    let step = this.#openCall(id, name, input);
    if (!step) {
      const part: CallPart = { kind: 'call', id, name, input };
      const key = partKey('assistant', part);
      thread.seen.set(key, (thread.seen.get(key) ?? 0) + 1);
      step = this.#addCall(part, thread, time);
      const last = this.#lastRun;
      if (last && time !== undefined && time < last.end) {
        last.step.parallel ??= this.#groups += 1;
        step.parallel = last.step.parallel;
      }
    }
    this.#settled.add(step);
    if (latency !== undefined) step.latency_ms = rounded(latency);
    if (time !== undefined) {
      step.started_at = isoOf(time);
      if (this.#lastRun === undefined || time + (latency ?? 0) >= this.#lastRun.end)
        this.#lastRun = { step, end: time + (latency ?? 0) };
    }
    if (output === undefined && error === undefined) return;
    // Calls without an id may have equal results.
    if (this.#answered.has(step)) return;
    const part: ResultPart = {
      kind: 'result',
      id: step.call_id,
      name,
      output: error ?? output ?? '',
      isError: error !== undefined,
    };
    const key = partKey('user', part);
    thread.seen.set(key, (thread.seen.get(key) ?? 0) + 1);
    this.#addResult(part, thread, time === undefined ? undefined : time + (latency ?? 0), step);
  }

  /** Counts a failed request to a model. */
  fail(message: string): void {
    this.#lastError = { message, steps: this.#steps.length };
    this.#modelErrors += 1;
  }

  /** The step of a call. */
  call(id: string): AgentStep | undefined {
    return this.#calls.get(id);
  }

  /** The calls with a text as an argument. */
  callsWith(argument: string, text: string): readonly AgentStep[] {
    return [...this.#keys.keys()].filter(({ input }) => at(input, argument) === text);
  }

  #openCall(id: string | undefined, name: string, input?: unknown): AgentStep | undefined {
    if (id !== undefined) return this.#calls.get(id);
    const waiting = (key: string): readonly AgentStep[] => {
      const calls = this.#waiting.get(key) ?? [];
      while (calls[0] && this.#settled.has(calls[0])) calls.shift();
      return calls;
    };
    const exact = waiting(input === undefined ? name : callKey(name, input))[0];
    if (exact) return exact;
    // An exporter may write the arguments in a shape of its own.
    const open = waiting(name).filter((step) => !this.#settled.has(step));
    return open.length === 1 ? open[0] : undefined;
  }

  #add(role: Message['role'], part: Part, thread: Thread, time: number | undefined): AgentStep | undefined {
    if (part.kind === 'call') return this.#addCall(part, thread, time);
    if (part.kind === 'result') return this.#addResult(part, thread, time);
    if (role === 'system') {
      this.#instructions.push(part.text);
      return undefined;
    }
    if (role === 'assistant') return this.#push({ type: 'thought', content: part.text }, thread, time);
    if (this.objective === undefined && thread.agent === undefined) {
      this.objective = part.text;
      return undefined;
    }
    return this.#push({ type: 'observation', content: `user: ${part.text}` }, thread, time);
  }

  #addCall({ id, name, input }: CallPart, thread: Thread, time: number | undefined): AgentStep {
    const type = thread.hasFailed ? 'error_recovery' : 'tool_call';
    thread.hasFailed = false;
    const step = this.#push({ type, tool: toolOf(name) }, thread, time);
    if (isMap(input)) step.input = input;
    else if (input !== undefined && input !== '') {
      step.input_text = typeof input === 'string' ? input : canonical(input);
      this.lost.add('arguments that are not an object');
    }
    if (id !== undefined) {
      step.call_id = id;
      if (this.#calls.has(id)) this.lost.add('repeated id of a call');
      else this.#calls.set(id, step);
    }
    const key = callKey(name, input);
    this.#keys.set(step, key);
    for (const one of [name, key]) {
      const waiting = this.#waiting.get(one);
      if (waiting) waiting.push(step);
      else this.#waiting.set(one, [step]);
    }
    const retried = this.#failed.get(key);
    if (retried !== undefined) step.retry_of = retried;
    return step;
  }

  #addResult(
    { id, name, output, isError }: ResultPart,
    thread: Thread,
    time: number | undefined,
    known?: AgentStep,
  ): AgentStep {
    const call = known ?? this.#openCall(id, name ?? '');
    const step = this.#push({ type: 'observation', content: output }, thread, time);
    if (!call) {
      if (id !== undefined) this.lost.add('result without its call');
    } else {
      step.answers = call.step_id;
      this.#settled.add(call);
      this.#answered.add(call);
      const began = call.started_at === undefined ? undefined : Date.parse(call.started_at);
      if (call.latency_ms === undefined && began !== undefined && time !== undefined && this.format === 'claude-code') {
        if (time >= began) call.latency_ms = time - began;
        else this.lost.add('negative duration');
      }
    }
    if (!isError) return step;
    step.error = true;
    thread.hasFailed = true;
    if (call) {
      call.error = true;
      this.#failed.set(this.#keys.get(call) ?? '', call.step_id);
    }
    return step;
  }

  #push(step: Omit<AgentStep, 'step_id'>, { agent }: Thread, time: number | undefined): AgentStep {
    const added: AgentStep = {
      step_id: this.#steps.length,
      ...step,
      ...(time !== undefined && { started_at: isoOf(time) }),
      ...(agent !== undefined && { agent }),
    };
    this.#steps.push(added);
    this.span(time);
    return added;
  }

  /** The trace; undefined if it has no step. */
  finish(): AgentTrace | undefined {
    const steps = this.#steps;
    if (steps.length === 0) return undefined;
    const calls = steps.filter(({ tool }) => tool !== undefined);
    const groups = new Map<number, number>();
    for (const { parallel } of calls) if (parallel !== undefined) groups.set(parallel, (groups.get(parallel) ?? 0) + 1);
    const summary = steps.findLast(({ type, content }) => type === 'thought' && content !== undefined)?.content ?? '';
    const { input, output, total } = this.#tokens;
    if (total === undefined && (input !== undefined || output !== undefined))
      this.#tokens.total = (input ?? 0) + (output ?? 0);
    const latency = this.latency ?? (this.#end > this.#begin ? rounded(this.#end - this.#begin) : undefined);
    const cost = this.cost ?? this.#costs;
    const error = this.#lastError?.steps === steps.length ? this.#lastError.message : undefined;
    const failed = calls.filter((step) => step.error === true).length;
    return {
      '@context': CONTEXT,
      '@type': 'ReasoningTrace',
      id: this.id,
      metadata: {
        ...(Number.isFinite(this.#begin) && { created_at: isoOf(this.#begin) }),
        ...(this.agent !== undefined && { agent_id: `kp:agent:${this.agent}` }),
        ...(this.framework !== undefined && { framework: this.framework }),
        task_domain: this.domain,
        ...(this.success !== undefined && { success: this.success }),
        visibility: 'private',
        privacy_level: 'private',
      },
      task: {
        objective: this.objective ?? '',
        ...(this.#instructions.length > 0 && { instructions: this.#instructions.join('\n\n') }),
      },
      steps,
      outcome: { result_summary: summary },
      source: {
        format: this.format,
        records: this.records,
        ...(this.origin && { span: this.origin }),
        ...(this.responseId !== undefined && { response_id: this.responseId }),
      },
      ...(this.parent !== undefined && { parent: this.parent }),
      ...(this.title !== undefined && { title: this.title }),
      ...(this.models.size > 0 && { models: [...this.models] }),
      ...(this.tools.length > 0 && { tools: this.tools }),
      ...(Object.keys(this.#tokens).length > 0 && { tokens: this.#tokens }),
      ...(cost !== undefined && { cost }),
      ...(latency !== undefined && { latency_ms: latency }),
      calls: calls.length,
      errors: failed + this.#modelErrors,
      retries: calls.filter(({ retry_of }) => retry_of !== undefined).length + this.modelRetries,
      parallel: Math.max(calls.length > 0 ? 1 : 0, ...groups.values()),
      ...(this.compactions > 0 && { compactions: this.compactions }),
      ...(this.branches > 0 && { branches: this.branches }),
      ...(error !== undefined && { error }),
    };
  }
}

/** Milliseconds to the microsecond: clocks have no more, and a difference of doubles has other digits. */
const rounded = (millis: number): number => Math.round(millis * 1000) / 1000;

/** Equal for the same part in an answer and in the requests after it. */
function partKey(role: Message['role'], part: Part): string {
  switch (part.kind) {
    case 'call':
      return part.id === undefined ? `call ${callKey(part.name, part.input)}` : `call #${part.id}`;
    case 'result':
      return part.id === undefined ? `result ${part.name ?? ''} ${part.output}` : `result #${part.id}`;
    default:
      return `${role} ${part.kind} ${part.text.trim()}`;
  }
}

/** A call by tool and arguments. The keys of arguments may be in any order. */
const callKey = (name: string, input: unknown): string => `${name} ${canonical(input)}`;

/** `mcp__SERVER__TOOL` names the MCP server of a tool. */
function toolOf(name: string): { name: string; mcp_server?: string } {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
  return server === undefined || tool === undefined ? { name } : { name: tool, mcp_server: server };
}
