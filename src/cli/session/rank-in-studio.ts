import type { CallBudget } from '../../engine/index.js';
import type { CandidateOptions, OverrideOptions, SessionOptions } from '../options.js';
import type { OpenStudio, Io } from '../terminal/io.js';
import { usageError, writeProblems } from '../terminal/problems.js';
import { withQuery } from './message-query.js';
import { checkOverrides, type CliSession, readCandidateFile } from './session.js';

/** The options of `assize rank`; `checkFit` refuses those that the studio does not support. */
interface RankStudioOptions extends SessionOptions, CandidateOptions, OverrideOptions {
  readonly format: string;
  readonly budget?: CallBudget;
  readonly workers?: number;
  readonly engine?: string;
  readonly timings?: true;
}

/** Shows candidates in the studio, with the weights and limits of the call, and opens it in a browser. */
export async function rankInStudio(
  session: CliSession,
  files: readonly string[],
  options: RankStudioOptions,
  openStudio: OpenStudio,
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
  const { profile, context, trust } = session;
  const candidates = await readCandidateFile(files[0] ?? '-', io, options);
  await openStudio({ profile, candidates, context: withQuery(context, candidates), trust, settings });
}

/** @throws AssizeError (ASZ601) if an option is given that the page does not support */
function checkFit(files: readonly string[], options: RankStudioOptions): void {
  const { budget, offset, seed, generate, workers, engine, timings, format } = options;
  const asked: Readonly<Record<string, unknown>> = {
    '--budget': budget,
    '--offset': offset,
    '--seed': seed,
    '--generate': generate,
    '--workers': workers,
    '--engine': engine,
    '--timings': timings,
    [`--format ${format}`]: format === 'table' ? undefined : format,
    'a second file': files[1],
  };
  const unfit = Object.keys(asked).find((name) => asked[name] !== undefined);
  if (unfit === undefined) return;
  throw usageError(
    `${unfit} cannot be combined with --open`,
    'the studio shows the candidates of one file, and ranks them itself',
  );
}
