import { createPipeline } from '../../pipeline/node.js';
import { toError } from '../../base/index.js';
import { importOptional, type OptionalPackage, rethrow } from '../../services/index.js';
import { type SettingsInLink, withSettings, openStudio, type StudioSource } from '../../studio/index.js';
import type { DatasetVerbOptions } from '../dataset-options.js';
import {
  type CandidateOptions,
  type OpenOptions,
  type OverrideOptions,
  type SessionOptions,
  trustOf,
} from '../options.js';
import type { Environment, Io } from '../terminal/io.js';
import { usageError, writeProblems } from '../terminal/problems.js';
import { checkOverrides, type CliSession, readCandidateFile, readContext } from './session.js';

/** The options that choose what a studio shows. */
export type StudioInput = Omit<SessionOptions, 'profile'> & DatasetVerbOptions;

/**
 * Reads what a studio shows: the candidates of one request, or queries with judgements if an option for those is given.
 *
 * @param profiles the first can be edited; the others are shown next to it
 */
export async function readStudioSource(
  profiles: readonly string[],
  file: string,
  options: StudioInput,
  io: Io,
): Promise<StudioSource> {
  const [profile = '', ...others] = profiles;
  const trust = trustOf(options);
  const { label, judgments, group, queries: queryFile } = options;
  if ([label, judgments, group, queryFile].every((one) => one === undefined)) {
    const context = await readContext(options.context, options.now);
    return { profile, others, candidates: await readCandidateFile(file, io, options), context, trust };
  }
  // Most studios show one file without judgements.
  const { checkLabel } = await import('../../evaluate/judged-query.js');
  const { readCliDataset } = await import('./judged.js');
  const pipelines = await Promise.all(profiles.map((one) => createPipeline(one, { trust })));
  const { queries, label: read } = await readCliDataset(file, options, io, pipelines);
  if (read !== undefined) checkLabel(Object.fromEntries(profiles.map((one, k) => [one, pipelines[k]!])), read);
  return { profile, others, queries, trust };
}

interface ServeOptions extends OpenOptions {
  readonly port?: number | undefined;
  /** Initial settings that differ from the profile. */
  readonly settings?: SettingsInLink;
}

/** Serves the page of a studio until the process ends, and writes its address. */
export async function serveInStudio(
  source: StudioSource,
  { port = 0, open, settings = {} }: ServeOptions,
  io: Io,
): Promise<void> {
  const { url } = await openStudio(source, { port });
  const address = withSettings(url, settings);
  io.out.write(`${address}\n`);
  if (open) await openBrowser(address, io);
}

/** The part of the package `open` that is used. */
interface OpenLibrary {
  readonly default: (address: string) => Promise<unknown>;
}

const OPEN: OptionalPackage<OpenLibrary> = {
  name: 'open',
  neededBy: 'opening a browser',
  part: 'default export',
  isLibrary: (module): module is OpenLibrary =>
    typeof module === 'object' && module !== null && typeof Reflect.get(module, 'default') === 'function',
};

/** Whether a browser can be displayed. Linux needs a display, or Windows as its host. */
export const hasBrowser = (platform: NodeJS.Platform, env: Environment): boolean =>
  !env['CI'] &&
  (platform !== 'linux' || ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some((name) => Boolean(env[name])));

/** Opens an address in a browser, if the output is a terminal and a browser is available. Otherwise does nothing. */
export async function openBrowser(address: string, { out, err, env }: Io): Promise<void> {
  if (!out.terminal || !hasBrowser(process.platform, env)) return;
  try {
    const { default: open } = await importOptional(OPEN, () => import('open').catch(rethrow));
    await open(address);
  } catch (error) {
    err.write(`${toError(error).message}\n`); // the address is printed anyway
  }
}

/** The options of `assize rank`; `checkFit` refuses those that the studio does not support. */
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

/** @throws AssizeError (ASZ601) if an option is given that the page does not support */
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
  throw usageError(
    `${unfit} cannot be combined with --open`,
    'the studio shows the candidates of one file, and ranks them itself',
  );
}
