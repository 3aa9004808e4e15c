import type { CandidateOptions, OverrideOptions, SessionOptions } from '../options.js';
import type { Io } from '../terminal/io.js';
import { usageError, writeProblems } from '../terminal/problems.js';
import { type CliSession, checkOverrides } from './session.js';
import { readStudioSource, serveInStudio } from './studio.js';

/** What of `assize rank` the studio shows, and what it does not. */
interface RankStudioOptions extends SessionOptions, CandidateOptions, OverrideOptions {
  readonly format: string;
  readonly budget?: number;
  readonly workers?: number;
  readonly engine?: string;
  readonly timings?: true;
}

/** Shows candidates in the studio, with the weights and limits of the call, and opens it in a browser. */
export async function rankInStudio(
  session: CliSession,
  files: readonly string[],
  options: RankStudioOptions,
  io: Io,
): Promise<void> {
  checkFit(files, options);
  checkOverrides(session, options);
  writeProblems(session.pipeline.warnings, io);
  const { weight: weights, top, minScore } = options;
  const settings = {
    ...(weights && { weights }),
    ...(top !== undefined && { top }),
    ...(minScore !== undefined && { minScore }),
  };
  const source = await readStudioSource([session.profile], files[0] ?? '-', options, io);
  await serveInStudio(source, { open: true, settings }, io);
}

/** @throws AssizeError (ASZ601) where something is asked for that a page does not do */
function checkFit(files: readonly string[], options: RankStudioOptions): void {
  const { budget, offset, generate, workers, engine, timings, format } = options;
  const asked: Readonly<Record<string, unknown>> = {
    '--budget': budget,
    '--offset': offset,
    '--generate': generate,
    '--workers': workers,
    '--engine': engine,
    '--timings': timings,
    [`--format ${format}`]: format === 'table' ? undefined : format,
    'a second file': files[1],
  };
  const unfit = Object.keys(asked).find((name) => asked[name] !== undefined);
  if (unfit === undefined) return;
  throw usageError(`${unfit} is not for --open`, 'the studio shows the candidates of one file, and ranks them itself');
}
