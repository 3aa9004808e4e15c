import { createPipeline } from '../../container.js';
import { checkLabel } from '../../evaluate/index.js';
import { type SettingsInLink, withSettings } from '../../studio/data/link-state.js';
import { openStudio, type StudioSource } from '../../studio/index.js';
import type { DatasetVerbOptions } from '../dataset-options.js';
import { type SessionOptions, trustOf } from '../options.js';
import type { OpenOptions } from '../studio-options.js';
import type { Io } from '../terminal/io.js';
import { readContext } from './context.js';
import { readCliDataset } from './dataset.js';
import { openBrowser } from './open-browser.js';
import { readCandidateFile } from './session.js';

/** What says what a studio shows. */
export type StudioInput = Omit<SessionOptions, 'profile'> & DatasetVerbOptions;

/**
 * Reads what a studio shows: candidates of one request, or queries with judgements where an option speaks of those.
 *
 * @param profiles the first is weighed, and the others are shown beside it
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
    return { profile, others, candidates: await readCandidateFile(file, io, options.input), context, trust };
  }
  const pipelines = await Promise.all(profiles.map((one) => createPipeline(one, { trust })));
  const { queries, label: read } = await readCliDataset(file, options, io, pipelines[0]?.candidateReads[0]?.field);
  if (read !== undefined) checkLabel(Object.fromEntries(profiles.map((one, k) => [one, pipelines[k]!])), read);
  return { profile, others, queries, trust };
}

interface ServeOptions extends OpenOptions {
  readonly port?: number | undefined;
  /** What is set from the beginning, beside what the profile says. */
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
