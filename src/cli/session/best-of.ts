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
  const why = alone(session, file, options);
  if (workers > 1 && file !== undefined && why === undefined) return shared(session, file, options, io);
  const { topOfRanking } = await import('../engine.js');
  return topOfRanking(await rankGiven(session, file, options, io), top, workers > 1 ? [`one thread: ${why}`] : []);
}

/** Why one thread does it, where that is known before the file is looked at. */
function alone({ edition }: Session, file: string | undefined, { generate }: BestOptions): string | undefined {
  if (generate === true) return 'the candidates are made, and not read';
  if (file === undefined || file === '-') return 'standard input can only be read from its beginning';
  const { late } = edition.plan;
  return late && `it is seen who can still be selected before ${late.ask.join(', ')} is asked`;
}

async function shared(
  session: Session,
  file: string,
  { workers, top, budget, input }: BestOptions,
  { progress, err }: Io,
): Promise<TopRanking<object>> {
  const { checkFile, formatOfFile, noCandidatesIn, placedIn, rankFileBy } = await import('../engine.js');
  checkFile(file, input);
  const { context } = session;
  const options = { context, workers, top, budget, input, ...(progress && { progress }) };
  try {
    const found = await rankFileBy(session, file, options);
    const format = input ?? (await formatOfFile(file)) ?? 'jsonl';
    if (found.counts.given === 0 && format !== 'json') {
      err.write(`${formatProblem(noCandidatesIn(file, format), { colour: err.colour })}\n`);
    }
    return found;
  } catch (error) {
    throw placedIn(context, error);
  }
}
