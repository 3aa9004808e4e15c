/**
 * Traces of agents, made from the logs that exist: OpenTelemetry, requests to OpenAI and Anthropic, sessions of Claude
 * Code.
 *
 * @module
 */
export { detectTraceFormat, readTraces, type ReadTracesOptions, traceCollector } from './read-traces.js';
export type { TraceCollector } from './collector.js';
export {
  type AgentStep,
  type AgentStepType,
  type AgentTrace,
  type KindCounts,
  type OfferedTool,
  TRACE_FORMATS,
  type TraceFormat,
  type TraceReading,
  type TraceSource,
  type TraceTokens,
} from './agent-trace.js';
