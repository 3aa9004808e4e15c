/** The formats of logs that are read as traces. */
export const TRACE_FORMATS = ['otlp', 'openai-log', 'anthropic-log', 'claude-code'] as const;

/**
 * A format of logs that is read as traces.
 *
 * - `otlp`: spans and log records of OpenTelemetry as JSON, with `gen_ai.*`, OpenInference or AI SDK attributes
 * - `openai-log`, `anthropic-log`: requests to a model with their responses
 * - `claude-code`: lines of sessions of Claude Code
 */
export type TraceFormat = (typeof TRACE_FORMATS)[number];

/** The kinds of a trace's steps, as KnowledgePulse has them. */
export type AgentStepType = 'thought' | 'tool_call' | 'observation' | 'error_recovery';

/** Tokens, as the log counts them. A count that the log does not have is absent. */
export interface TraceTokens {
  input?: number;
  output?: number;
  /** The log's own total, or the sum of input and output. */
  total?: number;
  /** The part of the input that was read from a cache. */
  cached?: number;
  /** The part of the output that is reasoning. */
  reasoning?: number;
}

/** A step of a KnowledgePulse trace, and what the log knows besides. */
export interface AgentStep {
  /** Its position, from 0. */
  step_id: number;
  type: AgentStepType;
  /** The thought or the observation. */
  content?: string;
  tool?: { name: string; mcp_server?: string };
  /** The arguments of a call, if they are an object. */
  input?: Record<string, unknown>;
  /** In milliseconds. */
  latency_ms?: number;
  /** The arguments of a call that are not a JSON object, as they are in the log. */
  input_text?: string;
  /** ISO 8601. */
  started_at?: string;
  /** The log's id of a call. */
  call_id?: string;
  /** In an observation: the step of the call that it answers. */
  answers?: number;
  /** In a call: it failed. In an observation: it reports an error. */
  error?: true;
  /** In a call: the step of the failed call of the same tool with the same arguments. */
  retry_of?: number;
  /** Calls with the same number ran in parallel. */
  parallel?: number;
  /** The model of the answer whose first step this is, its tokens, and its cost if the log has it. */
  model?: string;
  tokens?: TraceTokens;
  cost?: number;
  /** The agent, if another than the trace's took the step. */
  agent?: string;
  /** In a call that started a sub-agent: the id of its trace. */
  sidechain?: string;
}

/** A tool that the model could call. */
export interface OfferedTool {
  name: string;
  description?: string;
  /** A JSON Schema of its arguments. */
  parameters?: Record<string, unknown>;
}

/** Where a trace comes from. */
export interface TraceSource {
  format: TraceFormat;
  /** The number of the log's records in this trace. */
  records: number;
  /** In OpenTelemetry: the outermost span of the agent's work. */
  span?: { trace_id: string; span_id: string };
  /** The provider's id of the last response. */
  response_id?: string;
}

/**
 * A trace of KnowledgePulse that is made from a log, with what the log knows besides. Logs rarely know whether a task was
 * solved: `metadata.success`, `metadata.quality_score` and `outcome.confidence` are absent unless the log has them.
 */
export interface AgentTrace {
  '@context': string;
  '@type': 'ReasoningTrace';
  /** `kp:trace:…`, with the log's own id. */
  id: string;
  metadata: {
    /** ISO 8601. */
    created_at?: string;
    agent_id?: string;
    framework?: string;
    task_domain: string;
    success?: boolean;
    quality_score?: number;
    visibility: 'private';
    privacy_level: 'private';
  };
  task: {
    /** The first message of the user. */
    objective: string;
    /** The system prompt. */
    instructions?: string;
  };
  /** At least one. */
  steps: AgentStep[];
  outcome: {
    /** The last answer. */
    result_summary: string;
    confidence?: number;
  };
  source: TraceSource;
  /** Of a sub-agent: the id of the trace that started it. */
  parent?: string;
  title?: string;
  /** Each model that answered, once. */
  models?: string[];
  tools?: OfferedTool[];
  tokens?: TraceTokens;
  /** In the currency of the log; only if the log has it. */
  cost?: number;
  /** From the first record to the end of the last one, in milliseconds. */
  latency_ms?: number;
  /** The number of calls of tools. */
  calls: number;
  /** The number of failed calls of tools, and of failed requests to a model. */
  errors: number;
  /** The number of repeated calls and requests after a failure. */
  retries: number;
  /** The largest number of calls that ran in parallel. */
  parallel: number;
  /** How often the context was summarized to make room. */
  compactions?: number;
  /** How often the user returned to an earlier message. */
  branches?: number;
  /** The error that the trace ended with. */
  error?: string;
}

/** Counts by kind. */
export type KindCounts = Readonly<Record<string, number>>;

/** What was read from a log. */
export interface TraceReading {
  readonly format: TraceFormat;
  readonly traces: readonly AgentTrace[];
  /** The number of records: spans and log records, exchanges with a model, lines of a session. */
  readonly records: number;
  /** The records that are in no trace, by kind. With the records of the traces, they sum to `records`. */
  readonly unmapped: KindCounts;
  /** Parts of mapped records that the traces do not have, by kind: images, unknown blocks, invalid times. */
  readonly lost: KindCounts;
  /** The ids of traces that have no step. They are not in `traces`: no step is not a step of average quality. */
  readonly withoutSteps: readonly string[];
}

/** The most kinds that are counted apart: names of spans and blocks come from the log. */
const MOST_KINDS = 50;
const MOST_CHARACTERS = 60;
const OTHER = 'other kinds';

/** Counts by kind. */
export class Counts {
  readonly #counts = new Map<string, number>();
  total = 0;

  add(kind: string, count = 1): void {
    if (count === 0) return;
    const name = kind.length > MOST_CHARACTERS ? `${kind.slice(0, MOST_CHARACTERS)}…` : kind;
    const known = this.#counts.has(name) || this.#counts.size < MOST_KINDS ? name : OTHER;
    this.#counts.set(known, (this.#counts.get(known) ?? 0) + count);
    this.total += count;
  }

  /** Most frequent first. A kind may be `__proto__`: it is an own property. */
  get all(): KindCounts {
    return Object.fromEntries([...this.#counts].toSorted(([, a], [, b]) => b - a));
  }
}
