import { toAssizeError } from '../../diagnostics/index.js';
import type { ServedPipeline } from '../profiles/index.js';

/** A profile that a call brings: the profile itself, or its text. */
export type InlineProfile = Readonly<Record<string, unknown>> | { readonly yaml: string };

/**
 * Makes the pipeline of a profile that a call brings. It is a stranger's: it must reach no plugin and no file.
 *
 * @throws AssizeError (ASZ592): they are not taken yet
 */
export function createInlinePipeline(_profile: InlineProfile): Promise<ServedPipeline> {
  const message = 'this server takes no profile in a call';
  const hint = 'name one of its own: the tool list says which there are';
  return Promise.reject(toAssizeError([{ code: 'ASZ592', message, hint }]));
}
