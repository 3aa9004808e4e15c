/**
 * Conversations as candidates, and selected candidates as conversations that a provider accepts.
 *
 * @module
 */
export { type CheckMessagesOptions, checkMessages, type MessageProblem } from './check.js';
export { detectMessageFormat, undetectedReason } from './detect.js';
export { describeOtherEntry } from './formats.js';
export {
  candidatesFromMessages,
  type MessageCandidates,
  type MessageOptions,
  type UnmappedPart,
} from './from-messages.js';
export {
  type ImagePart,
  MESSAGE_FORMATS,
  type MessageCandidate,
  type MessageFormat,
  type MessageRole,
  type MessageRule,
  type MessageVersion,
} from './message.js';
export {
  type DroppedMessage,
  messagesFromCandidates,
  type PackedChange,
  type PackedMessages,
  type PackedOptions,
  type UndercountedMessage,
} from './to-messages.js';
export type { TokenOptions } from './tokens.js';
