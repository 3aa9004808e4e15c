/*
 * The public types of the KnowledgePulse SDK, under its names, so that a user of that SDK changes one import. Keys
 * are the wire format's: a trace is JSON.
 */

/** Who may see a unit of knowledge. */
export type Visibility = 'private' | 'org' | 'network';

/** In which form a unit of knowledge leaves its owner. */
export type PrivacyLevel = 'aggregated' | 'federated' | 'private';

/** What a step of a trace is. */
export type ReasoningTraceStepType = 'thought' | 'tool_call' | 'observation' | 'error_recovery';

/** What is known of any unit of knowledge. */
export interface KnowledgeUnitMeta {
  /** ISO 8601. */
  created_at: string;
  /** `kp:agent:…` */
  agent_id?: string;
  /** The framework that the agent ran in. */
  framework?: string;
  /** `finance`, `code`, `medical` and `customer_service` have weights of their own; any other has the default ones. */
  task_domain: string;
  /** Whether the task was solved. */
  success: boolean;
  /** From 0 to 1. An outcome, never an input of the score. */
  quality_score: number;
  visibility: Visibility;
  privacy_level: PrivacyLevel;
  /** Who confirmed it. */
  validated_by?: string[];
}

/** The tool that a step used. */
export interface ReasoningTraceTool {
  name: string;
  /** The MCP server that offers it. */
  mcp_server?: string;
}

/** One step of an agent on its way. */
export interface ReasoningTraceStep {
  /** Its position, from 0. */
  step_id: number;
  type: ReasoningTraceStepType;
  /** What was thought or observed. */
  content?: string;
  tool?: ReasoningTraceTool;
  /** What the tool was called with. */
  input?: Record<string, unknown>;
  output_summary?: string;
  /** In milliseconds. */
  latency_ms?: number;
}

/** What was asked of an agent, what it did, and what came of it. */
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
    /** The agent's own, from 0 to 1. */
    confidence: number;
  };
  /** The skill that the agent followed, if it did. */
  source_skill?: string;
  /** What the trace adds to a knowledge graph. */
  knowledge_graph_delta?: Record<string, unknown>;
}

/** The weights of the four dimensions in the value of a trace. A domain's sum to 1. */
export interface ScoringWeights {
  complexity: number;
  novelty: number;
  toolDiversity: number;
  outcomeConfidence: number;
}
