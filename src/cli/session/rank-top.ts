import { formatProblem } from '../../diagnostics/format.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import type { Io } from '../terminal/io.js';
import type { CandidateOptions, WorkersOptions } from './options.js';
import { type CliSession, rankInput } from './session.js';

/** What the best of some candidates are asked for with. */
interface RankTopOptions extends CandidateOptions, WorkersOptions {
  readonly top?: number;
  readonly budget?: number;
}

/** Ranks what is given, for its best: by several threads where that is asked for, and they can share it. */
export async function rankTop(
  session: CliSession,
  file: string | undefined,
  options: RankTopOptions,
  io: Io,
): Promise<TopRanking<object>> {
  const { workers = 1, top } = options;
  const why = singleThreadReason(session, file, options);
  if (workers > 1 && file !== undefined && why === undefined) return rankTopInWorkers(session, file, options, io);
  const { topOfRanking } = await import('../lazy-imports.js');
  return topOfRanking(await rankInput(session, file, options, io), top, workers > 1 ? [`one thread: ${why}`] : []);
}

/** Why one thread does it, where that is known before the file is looked at. */
function singleThreadReason(
  { compiled }: CliSession,
  file: string | undefined,
  { generate }: RankTopOptions,
): string | undefined {
  if (generate === true) return 'the candidates are made, and not read';
  if (file === undefined || file === '-') return 'standard input can only be read from its beginning';
  const { secondPhase } = compiled.plan;
  return secondPhase && `it is seen who can still be selected before ${secondPhase.ask.join(', ')} is asked`;
}

async function rankTopInWorkers(
  session: CliSession,
  file: string,
  { workers, top, budget, input }: RankTopOptions,
  { progress, err }: Io,
): Promise<TopRanking<object>> {
  const { checkCandidateFile, detectFileFormat, noCandidatesWarning, locateContextProblems, rankFileWith } =
    await import('../lazy-imports.js');
  checkCandidateFile(file, input);
  const { context } = session;
  const options = { context, workers, top, budget, input, ...(progress && { progress }) };
  try {
    const found = await rankFileWith(session, file, options);
    const format = input ?? (await detectFileFormat(file)) ?? 'jsonl';
    if (found.counts.given === 0 && format !== 'json') {
      err.write(`${formatProblem(noCandidatesWarning(file, format), { colour: err.colour })}\n`);
    }
    return found;
  } catch (error) {
    throw locateContextProblems(context, error);
  }
}
