import { formatProblem } from '../../document/format.js';
import type { TopRanking } from '../../pipeline/stream/top-ranking.js';
import type { Io } from '../terminal/io.js';
import type { CandidateOptions, WorkersOptions } from './options.js';
import { rankGiven, type Session } from './session.js';

/** What the best of some candidates are asked for with. */
interface BestOptions extends CandidateOptions, WorkersOptions {
  readonly top?: number;
  readonly budget?: number;
}

/** Ranks what is given, for its best: by several threads where that is asked for, and they can share it. */
export async function bestOf(
  session: Session,
  file: string | undefined,
  options: BestOptions,
  io: Io,
): Promise<TopRanking<object>> {
  const { workers = 1, top } = options;
  if (workers > 1 && file !== undefined && file !== '-' && options.generate !== true) {
    return shared(session, file, options, io);
  }
  const { topOfRanking } = await import('../engine.js');
  const why = options.generate === true ? 'the candidates are made, and not read' : STDIN;
  return topOfRanking(await rankGiven(session, file, options, io), top, workers > 1 ? [`one thread: ${why}`] : []);
}

const STDIN = 'standard input can only be read from its beginning';

async function shared(
  session: Session,
  file: string,
  { workers, top, budget, input }: BestOptions,
  { progress, err }: Io,
): Promise<TopRanking<object>> {
  const { formatOfFile, noCandidatesIn, placedIn, rankFileBy } = await import('../engine.js');
  const { context } = session;
  const options = { context, workers, top, budget, input, ...(progress && { progress }) };
  try {
    const found = await rankFileBy(session, file, options);
    const format = input ?? (await formatOfFile(file));
    if (found.counts.given === 0 && format !== 'json') {
      err.write(`${formatProblem(noCandidatesIn(file, format), { colour: err.colour })}\n`);
    }
    return found;
  } catch (error) {
    throw placedIn(context, error);
  }
}
