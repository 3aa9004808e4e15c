import { formatProblem } from '../../diagnostics/format.js';
import { DEFAULT_FORMAT } from '../../input/codecs.js';
import { detectFileFormat, noCandidatesWarning } from '../../input/read-candidates.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import { rankFileWith } from '../../workers/rank-file.js';
import { type InputOptions, type OverrideOptions, overridesOf, type WorkersOptions } from '../options.js';
import type { Io } from '../terminal/io.js';
import { locateContextProblems } from './context.js';
import { type CliSession, checkCandidateFile } from './session.js';

interface RankInWorkersOptions extends InputOptions, OverrideOptions, WorkersOptions {
  readonly budget?: number;
}

/** Ranks a file in several threads, where they can share it; the notices of the ranking say where they cannot. */
export async function rankInWorkers(
  session: CliSession,
  file: string,
  { workers, budget, input, ...overrides }: RankInWorkersOptions,
  { progress, err }: Io,
): Promise<TopRanking<object>> {
  checkCandidateFile(file, input);
  const { context } = session;
  const options = { context, workers, budget, input, ...overridesOf(overrides), ...(progress && { progress }) };
  try {
    const ranking = await rankFileWith(session, file, options);
    const format = input ?? (await detectFileFormat(file)) ?? DEFAULT_FORMAT;
    const warning = ranking.counts.given === 0 ? noCandidatesWarning(file, format) : undefined;
    if (warning) err.write(`${formatProblem(warning, { colour: err.colour })}\n`);
    return ranking;
  } catch (error) {
    throw locateContextProblems(context, error);
  }
}
