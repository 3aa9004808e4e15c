import { createPipeline, type Pipeline } from '../../src/index.js';
import { path, typeMismatch } from '../../src/unit-sdk.js';

/*
 * The public types of the KnowledgePulse SDK, under its names, so that a user of that SDK changes one import. Keys
 * are the wire format's: a trace is JSON.
 */

/** The visibility of a unit of knowledge. */
export type Visibility = 'private' | 'org' | 'network';

/** The form in which a unit of knowledge leaves its owner. */
export type PrivacyLevel = 'aggregated' | 'federated' | 'private';

/** The kinds of a trace's steps. */
export type ReasoningTraceStepType = 'thought' | 'tool_call' | 'observation' | 'error_recovery';

/** The metadata of any unit of knowledge. */
export interface KnowledgeUnitMeta {
  /** ISO 8601. */
  created_at: string;
  /** `kp:agent:…` */
  agent_id?: string;
  /** The framework of the agent. */
  framework?: string;
  /** `finance`, `code`, `medical` and `customer_service` have weights of their own; any other has the default ones. */
  task_domain: string;
  /** Whether the task was solved. */
  success: boolean;
  /** From 0 to 1. A result, never an input of the score. */
  quality_score: number;
  visibility: Visibility;
  privacy_level: PrivacyLevel;
  /** The ids of those that confirmed it. */
  validated_by?: string[];
}

/** The tool that a step used. */
export interface ReasoningTraceTool {
  name: string;
  /** The MCP server that offers it. */
  mcp_server?: string;
}

/** One step of a trace. */
export interface ReasoningTraceStep {
  /** Its position, from 0. */
  step_id: number;
  type: ReasoningTraceStepType;
  /** The thought or the observation. */
  content?: string;
  tool?: ReasoningTraceTool;
  /** The arguments of the tool call. */
  input?: Record<string, unknown>;
  output_summary?: string;
  /** In milliseconds. */
  latency_ms?: number;
}

/** A task that an agent was given, its steps, and their outcome. */
export interface ReasoningTrace {
  /** The URL of the schema; more than one is in use. */
  '@context': string;
  '@type': 'ReasoningTrace';
  /** `kp:trace:…` */
  id: string;
  metadata: KnowledgeUnitMeta;
  task: {
    objective: string;
    /** A JSON Schema of the task's input. */
    input_schema?: Record<string, unknown>;
  };
  steps: ReasoningTraceStep[];
  outcome: {
    result_summary: string;
    /** The agent's own confidence, from 0 to 1. */
    confidence: number;
  };
  /** The skill that the agent followed, if it did. */
  source_skill?: string;
  /** The changes to a knowledge graph. */
  knowledge_graph_delta?: Record<string, unknown>;
}

/** The weights of the four dimensions in the value of a trace. A domain's sum to 1. */
export interface ScoringWeights {
  complexity: number;
  novelty: number;
  toolDiversity: number;
  outcomeConfidence: number;
}

let sharedPipeline: Pipeline<ReasoningTrace> | Promise<Pipeline<ReasoningTrace>> | undefined;

/**
 * Scores the value of a reasoning trace, from 0 to 1, by the preset `knowledgepulse`. The novelty memory lives as long
 * as the process: each call is compared with all earlier calls, in call order, even if calls overlap.
 *
 * Without @huggingface/transformers, or if its model cannot be loaded, novelty counts as 0.5.
 *
 * @throws TypeError if the trace's steps, success or confidence are missing or malformed
 */
export async function evaluateValue(trace: ReasoningTrace): Promise<number> {
  checkTrace(trace);
  sharedPipeline ??= createPipeline<ReasoningTrace>('knowledgepulse');
  if (sharedPipeline instanceof Promise) sharedPipeline = await sharedPipeline; // awaited once
  // Without its id: the cache of the SDK counts a trace that comes again as seen.
  const row = await sharedPipeline.score({ ...trace, id: '' });
  if ('score' in row) return row.score;
  throw new Error(`${trace.id} cannot be scored as a reasoning trace: ${row.by}: ${row.reason}`);
}

/** A field that the formula needs. */
const requirement = (source: string, expected: string, is: (found: unknown) => boolean) => ({
  read: path().parse(source),
  expected,
  is,
});

/** Required here. The preset would abstain on an absent field and return a value from the other fields. */
const REQUIREMENTS = [
  requirement('steps', 'a list', Array.isArray),
  requirement('metadata.success', 'a boolean', (found) => typeof found === 'boolean'),
  requirement('outcome.confidence', 'a finite number', Number.isFinite),
];

/** Checks a trace at run time, since it is usually JSON from another system. */
function checkTrace(trace: unknown): void {
  for (const { read, expected, is } of REQUIREMENTS) {
    const found = read(trace);
    if (!is(found)) throw typeMismatch(`trace.${read.source}`, expected, found);
  }
}
