import type { Command } from 'commander';
import type { CallBudget } from '../engine/index.js';
import type { CandidateSource } from '../data/node.js';
import type { CandidateRead } from '../profile/index.js';
import type { Context } from '../sdk/index.js';
import type { RankingResult, RankOptions } from '../ranking/index.js';
import {
  budgetOption,
  type ContextOptions,
  type InputOptions,
  offsetOption,
  type OverrideOptions,
  overridesOf,
  type SessionOptions,
  withLimits,
  withSession,
} from './options.js';
import { writeRanking } from './output/ranking-table.js';
import type { ShareGroups } from './session/share-groups.js';
import type { TableOptions } from './table-options.js';
import type { Io } from './terminal/io.js';
import { writeProblems } from './terminal/problems.js';

// What verbs of packages do in their actions. The engine is imported when these are called, so that the help is fast.

/** Reads the candidates of a file with the options of `withInput`; `-` is standard input. */
export async function readCandidateFile(file: string, io: Io, options: InputOptions): Promise<readonly object[]> {
  const session = await import('./session/session.js');
  return session.readCandidateFile(file, io, options);
}

/**
 * The source of candidates for `readDataset` and functions like it: standard input, progress and warnings of `io`.
 *
 * @param profiles limit warnings about cells to the fields that they read
 * @throws AssizeError (ASZ601) if the file is YAML, which is probably a profile
 */
export async function candidateSource(
  file: string,
  io: Io,
  { input, absent }: InputOptions,
  profiles: readonly { readonly candidateReads: readonly CandidateRead[] }[],
): Promise<CandidateSource> {
  const { checkCandidateFile } = await import('./session/session.js');
  const { fieldsRead } = await import('../engine/index.js');
  checkCandidateFile(file, input);
  const { stdin, progress } = io;
  const reads = fieldsRead(
    profiles.flatMap(({ candidateReads }) => candidateReads),
    false,
  );
  return { stdin, progress, absent, reads, warn: (warning) => writeProblems([warning], io) };
}

/** Reads the context of a run with the options of `withContext`. It is empty if no file is given. */
export async function readContext({ context, now }: ContextOptions): Promise<Context> {
  const session = await import('./session/session.js');
  return session.readContext(context, now);
}

/** The options of `withRanking`, as commander parses them. */
export interface RankingOptions extends SessionOptions, OverrideOptions {
  readonly budget?: CallBudget;
}

/** Adds the options of a verb that ranks: profile, context, weights, limits and budget, as those of `assize rank`. */
export const withRanking = (command: Command): Command =>
  withLimits(withSession(command)).addOption(offsetOption()).addOption(budgetOption());

/** The options of `writeTable`. */
interface WriteTableOptions extends RankingOptions, TableOptions {
  readonly format: 'table' | 'jsonl';
  readonly shareGroups: ShareGroups;
}

/** What `openRanking` returns: what a verb ranks by, and how it writes the result. */
interface RankingSession {
  /** A preset, or a path. */
  readonly profile: string;
  readonly context: Context;
  /** The weights, limits and budget of the command line. */
  readonly options: Pick<RankOptions, 'weights' | 'top' | 'minScore' | 'offset' | 'seed' | 'budget'>;
  /** Runs work that uses the context. Problems of the context get their places in its file. */
  located<R>(work: () => Promise<R>): Promise<R>;
  /**
   * Ranks groups with `shareGroups`, or all candidates with `rankTop`, and writes them as `assize rank` does with the
   * options of `withTable`.
   */
  writeTable(file: string, options: WriteTableOptions, rankTop: () => Promise<RankingResult<object>>): Promise<void>;
  /** Writes a ranking as `assize rank` does. */
  write(ranking: RankingResult<object>, format: 'table' | 'jsonl'): void;
  /** Warns that a file of JSON Lines has no candidates. */
  warnIfEmpty(ranking: RankingResult<object>, file: string): void;
}

/**
 * Loads the profile and the context of a verb with the options of `withRanking`.
 *
 * @param verb its name, for the message that `--profile` is missing
 */
export async function openRanking(verb: string, options: RankingOptions, io: Io): Promise<RankingSession> {
  const { locateContextProblems, openCliSession, warnOfNoCandidates } = await import('./session/session.js');
  const session = await openCliSession(verb, options, io);
  const { profile, context, pipeline } = session;
  const { budget } = options;
  return {
    profile,
    context,
    options: { ...overridesOf(options), budget },
    located: async (work) => {
      try {
        return await work();
      } catch (error) {
        throw locateContextProblems(context, error);
      }
    },
    async writeTable(file, own, rankTop) {
      const { rankToTable } = await import('./session/rank-table.js');
      return rankToTable(session, file, own, rankTop, io);
    },
    write: (ranking, format) => writeRanking(pipeline, ranking, format, io),
    warnIfEmpty: (ranking, file) => warnOfNoCandidates(ranking, { files: [file], format: 'jsonl' }, io),
  };
}
