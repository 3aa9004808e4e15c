import type { Problem, ProblemCode } from '../../contract/index.js';
import type { Entry } from '../../profile/profile.js';

/** Who reads what a warning is about: what messages call it, and where it stands. */
export type Reader = Pick<Entry, 'id'> & Partial<Pick<Entry, 'path' | 'place'>>;

/** A warning about a reader, or about none. */
export const about = (
  { path, place }: Omit<Reader, 'id'>,
  code: ProblemCode,
  message: string,
  hint?: string,
): Problem =>
  Object.freeze({ code, message, ...(path !== undefined && { path }), ...(place && { place }), ...(hint && { hint }) });
