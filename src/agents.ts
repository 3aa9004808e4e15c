/**
 * Agents: conversations of OpenAI, Anthropic and the AI SDK as candidates, and back; and logs of agents as traces.
 *
 * @module
 */

export {
  candidatesFromMessages,
  type CheckMessagesOptions,
  checkMessages,
  detectMessageFormat,
  type DroppedMessage,
  type ImagePart,
  MESSAGE_FORMATS,
  type MessageCandidate,
  type MessageCandidates,
  type MessageFormat,
  type MessageOptions,
  type MessageProblem,
  type MessageRole,
  type MessageRule,
  messagesFromCandidates,
  type PackedChange,
  type PackedMessages,
  type PackedOptions,
  type UnmappedPart,
} from '../plugins/agents/messages/index.js';
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
  type TraceSource,
  type TraceTokens,
} from '../plugins/agents/traces/index.js';
