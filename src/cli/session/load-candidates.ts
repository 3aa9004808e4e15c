import type { AssizeError } from '../../diagnostics/problem.js';
import { peekStream } from '../../input/peek-stream.js';
import type { Pipeline } from '../../pipeline.js';
import type { Io } from '../terminal/io.js';
import { usageError } from '../terminal/report-failure.js';
import type { CandidateOptions } from './options.js';

/**
 * Reads the candidates that a ranking is about.
 *
 * @returns undefined where the profile's strategies make them: with `--generate`, and where nobody gives any
 */
export async function loadCandidates(
  pipeline: Pipeline<object>,
  file: string | undefined,
  { input, generate }: CandidateOptions,
  io: Io,
): Promise<readonly object[] | undefined> {
  const canMake = pipeline.describe().strategies.length > 0;
  const makesOwn = generate === true || (file === undefined && io.interactive);
  if (makesOwn && file !== undefined) throw usageError('there are candidates both from --generate and from a file');
  if (makesOwn && !canMake) {
    throw noCandidatesError(`give a file or pipe them in: profile ${pipeline.name} has no strategies`);
  }
  if (makesOwn) return undefined;
  const { readCandidateFile } = await import('../lazy-imports.js');
  if (file !== undefined || !canMake) return readCandidateFile(file ?? '-', io, input);
  // A script, a job at night and a container have no terminal, and nothing to say either.
  const [start, stdin] = await peekStream(io.stdin, (text) => text !== '');
  return start === '' ? undefined : readCandidateFile('-', { ...io, stdin }, input);
}

/** What a verb says that was given no candidates and cannot make any. */
export const noCandidatesError = (hint: string): AssizeError => usageError('there are no candidates', hint);
