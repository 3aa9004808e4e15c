import { isWarning } from './codes.js';
import type { Problem } from './problem.js';

/** A problem as JSON: its severity, and its place without the text of the line. */
export function problemJson({ code, message, path, place, hint }: Problem): object {
  const { file, line, column } = place ?? {};
  return {
    severity: isWarning(code) ? 'warning' : 'error',
    code,
    message,
    ...(path && { path }),
    ...(place && { place: { file, line, column } }),
    ...(hint !== undefined && { hint }),
  };
}
