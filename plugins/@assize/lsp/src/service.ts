/**
 * Completion, hover and diagnostics for profiles, without Node and without a protocol: for editors in pages, and for
 * language servers of your own.
 *
 * @module
 */

export { createProfileService, type ProfileService } from './service/profile-service.js';
export type {
  Completion,
  CompletionKind,
  Definition,
  Diagnostic,
  Hover,
  ProfileServiceOptions,
  TextChange,
  TextRange,
} from './service/types.js';
