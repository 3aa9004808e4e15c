import { DEFAULT_FORMAT } from '../../input/codecs.js';
import { detectFileFormat } from '../../input/read-candidates.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import { rankFileWith } from '../../workers/rank-file.js';
import { type InputOptions, type OverrideOptions, overridesOf, type WorkersOptions } from '../options.js';
import type { Io } from '../terminal/io.js';
import { checkCandidateFile, type CliSession, locateContextProblems, warnOfNoCandidates } from './session.js';

interface RankInWorkersOptions extends InputOptions, OverrideOptions, WorkersOptions {
  readonly budget?: number;
}

/** Ranks a file in several threads, where they can share it; the notices of the ranking say where they cannot. */
export async function rankInWorkers(
  session: CliSession,
  file: string,
  { workers, budget, input, ...overrides }: RankInWorkersOptions,
  io: Io,
): Promise<TopRanking<object>> {
  checkCandidateFile(file, input);
  const { context } = session;
  const { progress } = io;
  const options = { context, workers, budget, input, ...overridesOf(overrides), ...(progress && { progress }) };
  try {
    const ranking = await rankFileWith(session, file, options);
    const format = input ?? (await detectFileFormat(file)) ?? DEFAULT_FORMAT;
    warnOfNoCandidates(ranking, { files: [file], format }, io);
    return ranking;
  } catch (error) {
    throw locateContextProblems(context, error);
  }
}
