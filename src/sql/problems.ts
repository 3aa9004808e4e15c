import { type Problem, toAssizeError } from '../diagnostics/index.js';

/** Throws one problem of a call. */
export function fail(code: Problem['code'], message: string, hint?: string, cause?: unknown): never {
  throw toAssizeError([{ code, message, ...(hint !== undefined && { hint }) }], { cause });
}
