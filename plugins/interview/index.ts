/**
 * The pack `interview`: the next move of an interviewer.
 *
 * @module
 */
export { ConceptDepthSignal } from './language-model/concept-depth-signal.js';
export { ContradictionSignal } from './language-model/contradiction-signal.js';
export { ConversationReading } from './language-model/conversation-reading.js';
export { EmotionalSignal } from './language-model/emotional-signal.js';
export { KnowledgeCeilingSignal } from './language-model/knowledge-ceiling-signal.js';
export { ReasoningSignal } from './language-model/reasoning-signal.js';
export { UncertaintySignal } from './language-model/uncertainty-signal.js';
