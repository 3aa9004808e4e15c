import type { CallBudget } from '../../engine/index.js';
import { DEFAULT_FORMAT, detectFileFormat } from '../../data/node.js';
import type { TopRanking } from '../../pipeline/index.js';
import { rankFileWith } from '../../scale/threads/index.js';
import { type InputOptions, type OverrideOptions, overridesOf, type WorkersOptions } from '../options.js';
import type { Io } from '../terminal/io.js';
import { checkCandidateFile, type CliSession, locateContextProblems, warnOfNoCandidates } from './session.js';

interface RankByPartsOptions extends InputOptions, OverrideOptions, WorkersOptions {
  readonly budget?: CallBudget;
}

/** Ranks a file part by part, in one thread or several. The notices say why threads could not share it. */
export async function rankByParts(
  session: CliSession,
  file: string,
  { workers, budget, input, absent, ...overrides }: RankByPartsOptions,
  io: Io,
): Promise<TopRanking<object>> {
  checkCandidateFile(file, input);
  const { context } = session;
  const { progress } = io;
  const options = { context, workers, budget, input, absent, ...overridesOf(overrides), ...(progress && { progress }) };
  try {
    const ranking = await rankFileWith(session, file, options);
    const format = input ?? (await detectFileFormat(file)) ?? DEFAULT_FORMAT;
    warnOfNoCandidates(ranking, { files: [file], format }, io);
    return ranking;
  } catch (error) {
    throw locateContextProblems(context, error);
  }
}
