/**
 * Agents: conversations of OpenAI, Anthropic and the AI SDK as candidates, and back.
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
