/**
 * Agents: their logs as traces, which are candidates.
 *
 * @module
 */

export {
  type AgentStep,
  type AgentStepType,
  type AgentTrace,
  detectTraceFormat,
  type KindCounts,
  type OfferedTool,
  readTraces,
  type ReadTracesOptions,
  TRACE_FORMATS,
  type TraceFormat,
  type TraceReading,
  type TraceTokens,
} from '../plugins/agents/traces/index.js';
