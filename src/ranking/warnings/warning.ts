import type { Place, Problem, ProblemCode } from '../../diagnostics/index.js';
import type { Entry } from '../../profile/index.js';

/** The entry, or the key of a profile, that a warning is about: its name in messages, and its place. */
export interface WarningSubject extends Pick<Entry, 'id'> {
  readonly path?: string | undefined;
  readonly place?: Place | undefined;
}

/** A warning about an entry, or, with `{}`, about the run. */
export const warningAbout = (
  { path, place }: Omit<WarningSubject, 'id'>,
  code: ProblemCode,
  message: string,
  hint?: string,
): Problem =>
  Object.freeze({ code, message, ...(path !== undefined && { path }), ...(place && { place }), ...(hint && { hint }) });
