import type { ProblemCode } from '../../diagnostics/codes.js';
import type { Problem } from '../../diagnostics/problem.js';
import type { Entry } from '../../profile/profile.js';

/** Who reads what a warning is about: what messages call it, and where it stands. */
export type WarningSubject = Pick<Entry, 'id'> & Partial<Pick<Entry, 'path' | 'place'>>;

/** A warning about a reader, or about none. */
export const warningAbout = (
  { path, place }: Omit<WarningSubject, 'id'>,
  code: ProblemCode,
  message: string,
  hint?: string,
): Problem =>
  Object.freeze({ code, message, ...(path !== undefined && { path }), ...(place && { place }), ...(hint && { hint }) });
