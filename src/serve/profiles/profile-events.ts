import type { AssizeError, Problem } from '../../diagnostics/index.js';

/** What happens to the profiles of a folder while they are served. */
export type ProfileEvent =
  /** It answers from now on; `version` is 1 for its first, and one more each time that its files have changed. */
  | {
      readonly kind: 'loaded';
      readonly profile: string;
      readonly version: number;
      readonly warnings: readonly Problem[];
    }
  /** What is in its files now cannot be used. Its last version, where there was one, answers on. */
  | { readonly kind: 'broken'; readonly profile: string; readonly error: AssizeError; readonly answersOn: boolean }
  | { readonly kind: 'removed'; readonly profile: string }
  /** Modules of its plugins have changed, and Node keeps them as they were until the process ends. */
  | { readonly kind: 'restart_needed'; readonly profile: string; readonly modules: readonly string[] }
  /** The folder cannot be read; the profiles answer on as they were. */
  | { readonly kind: 'unreadable'; readonly error: AssizeError };
