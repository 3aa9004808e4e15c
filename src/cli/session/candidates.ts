import type { AssizeError } from '../../contract/index.js';
import { peek } from '../../files/peek.js';
import type { Pipeline } from '../../pipeline/pipeline.js';
import { usage } from '../terminal/exit.js';
import type { Io } from '../terminal/io.js';
import type { CandidateOptions } from './options.js';

/**
 * Reads the candidates that a ranking is about.
 *
 * @returns undefined where the profile's strategies make them: with `--generate`, and where nobody gives any
 */
export async function candidatesOf(
  pipeline: Pipeline<object>,
  file: string | undefined,
  { input, generate }: CandidateOptions,
  io: Io,
): Promise<readonly object[] | undefined> {
  const canMake = pipeline.describe().strategies.length > 0;
  const makesOwn = generate === true || (file === undefined && io.typed);
  if (makesOwn && file !== undefined) throw usage('there are candidates both from --generate and from a file');
  if (makesOwn && !canMake) {
    throw noCandidates(`give a file or pipe them in: profile ${pipeline.name} has no strategies`);
  }
  if (makesOwn) return undefined;
  const { readCandidates } = await import('../engine.js');
  if (file !== undefined || !canMake) return readCandidates(file ?? '-', io, input);
  // A script, a job at night and a container have no terminal, and nothing to say either.
  const [start, stdin] = await peek(io.stdin, (text) => text !== '');
  return start === '' ? undefined : readCandidates('-', { ...io, stdin }, input);
}

/** What a verb says that was given no candidates and cannot make any. */
export const noCandidates = (hint: string): AssizeError => usage('there are no candidates', hint);
