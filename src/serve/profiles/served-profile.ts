import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createTrackedPipeline, type PipelineOptions, noSources } from '../../pipeline/node.js';
import { toAssizeError, AssizeError, messageWithCauses, type Problem, toError } from '../../base/index.js';
import type { Pipeline } from '../../pipeline/index.js';
import { forgetModules } from '../../profile/node.js';
import { expectationsFile, type ProfileFile } from './find-profiles.js';

/** Candidates of requests: objects of any kind. */
export type ServedPipeline = Pipeline<object>;

/**
 * Tests a pipeline before it becomes active.
 *
 * @param file the file of its golden cases, which may be missing
 * @returns the problems; empty if the test passes
 */
export type TryPipeline = (pipeline: ServedPipeline, file: string) => Promise<readonly Problem[]>;

/** How the profiles of a folder are loaded. */
export interface LoadOptions {
  readonly pipeline: PipelineOptions;
  readonly tryOut: TryPipeline;
  readonly report: (event: ProfileEvent) => void;
}

/** The most attempts to read a profile that changes during reading. */
const MAX_READS = 4;

/** One profile: the active pipeline, and the problems of the current files. */
export class ServedProfile {
  readonly name: string;
  readonly tenant: string | undefined;
  readonly file: string;
  #pipeline: ServedPipeline | undefined;
  #error: AssizeError | undefined;
  #version = 0;
  #since = 0;
  #needsRestart = false;
  readonly #sources = noSources();
  /** The files that were read last, valid or not. */
  #stamps: FileStamps = new Map();
  #answering: FileStamps = new Map();
  #shares = false;

  constructor(
    { name, tenant, file }: ProfileFile,
    private readonly options: LoadOptions,
  ) {
    this.name = name;
    this.tenant = tenant;
    this.file = file;
    this.#sources.files.add(file).add(expectationsFile(file));
  }

  /** The active pipeline; undefined if no version of the profile was valid yet. A request reads it once. */
  get pipeline(): ServedPipeline | undefined {
    return this.#pipeline;
  }

  /** Why the current files are not active. */
  get error(): AssizeError | undefined {
    return this.#error;
  }

  /** Whether no version was ever active, because the files changed during each attempt to read them. */
  get isBeingWritten(): boolean {
    return this.#error?.code === 'ASZ658';
  }

  /** The number of versions that have been active. */
  get version(): number {
    return this.#version;
  }

  /** When this version became active, in milliseconds since 1970. */
  get since(): number {
    return this.#since;
  }

  /** Whether a plugin module changed. A process loads a module only once. */
  get needsRestart(): boolean {
    return this.#needsRestart;
  }

  /** The stamps of the active version's files. Equal stamps mean the same version. */
  get stamps(): FileStamps {
    return this.#answering;
  }

  /** Whether its runs depend only on files and requests, so that a pipeline in another thread gives the same result. */
  get isSelfContained(): boolean {
    return !this.#needsRestart && !this.#shares;
  }

  /** The folders of its files. */
  get folders(): readonly string[] {
    return this.#watched().map((file) => dirname(file));
  }

  /** Reloads the profile if a file has changed, and replaces the pipeline at once if the new one is valid. */
  async refresh(): Promise<void> {
    const changed = changedFiles(this.#stamps, await stampsOf(this.#watched()));
    if (changed.length === 0 && !this.isBeingWritten) return; // files that change during reading may change back
    this.#forgetChangedModules(changed);
    try {
      await this.#checkNotEmpty();
      const pipeline = await this.#load();
      if (!pipeline) return;
      const problems = await this.options.tryOut(pipeline, expectationsFile(this.file));
      if (problems.length > 0) throw toAssizeError(problems);
      this.#replace(pipeline);
    } catch (error) {
      const problem = error instanceof AssizeError ? error : unexpected(this.name, error);
      this.#error = problem;
      this.options.report({ kind: 'broken', profile: this.name, error: problem, answersOn: this.#version > 0 });
    }
  }

  /** An empty file would be a valid profile without scorers, but is probably about to be written. */
  async #checkNotEmpty(): Promise<void> {
    const found = await stat(this.file).catch(() => undefined);
    if (found?.size !== 0) return;
    this.#stamps = await stampsOf(this.#watched());
    throw toAssizeError([
      { code: 'ASZ596', message: `${this.file} is empty`, hint: 'assize new profile writes one to start from' },
    ]);
  }

  /**
   * Reads the profile, and again if a file changes during reading, so that a pipeline never mixes two versions. Files
   * that keep changing are left to the next poll.
   *
   * @returns undefined if the files keep changing and an earlier version is active
   * @throws AssizeError (ASZ658) if the files keep changing and no version is active
   */
  async #load(): Promise<ServedPipeline | undefined> {
    for (let reads = 1; ; reads++) {
      const before = await stampsOf(this.#watched()); // oxlint-disable-line no-await-in-loop -- one after another
      const start = Date.now();
      // oxlint-disable-next-line no-await-in-loop -- a stable profile is read once
      const [outcome] = await Promise.allSettled([
        createTrackedPipeline<object>(this.file, this.options.pipeline, this.#sources),
      ]);
      const after = await stampsOf(this.#watched()); // oxlint-disable-line no-await-in-loop
      const isSettled = wereUnchanged(before, after, start);
      // Files that may have changed after reading are read again at the next poll.
      this.#stamps = isSettled ? after : before;
      if (!isSettled && reads < MAX_READS) continue;
      if (!isSettled && this.#pipeline) return undefined;
      if (!isSettled) throw unsettled(this.name, changedFiles(before, after));
      if (outcome.status === 'fulfilled') return outcome.value;
      throw outcome.reason;
    }
  }

  #replace(pipeline: ServedPipeline): void {
    // Not awaited: the runs of the new pipeline wait until it has the memory of the old one.
    if (this.#pipeline) void pipeline.continueFrom(this.#pipeline);
    this.#pipeline = pipeline;
    this.#answering = this.#stamps;
    this.#shares = this.#sources.shared.size > 0;
    this.#error = undefined;
    this.#version++;
    this.#since = Date.now();
    this.options.report({
      kind: 'loaded',
      profile: this.name,
      version: this.#version,
      warnings: pipeline.warnings,
    });
  }

  #forgetChangedModules(changed: readonly string[]): void {
    const { modules, keptModules } = this.#sources;
    if (!changed.some((file) => modules.has(file))) return;
    forgetModules(modules);
    const stale = changed.filter((file) => keptModules.has(file));
    if (stale.length === 0) return;
    this.#needsRestart = true;
    this.options.report({ kind: 'restart_needed', profile: this.name, modules: stale });
  }

  #watched(): readonly string[] {
    const { files, modules, memories } = this.#sources;
    return [...files, ...modules].filter((file) => !memories.has(file));
  }
}

const unsettled = (profile: string, files: readonly string[]): AssizeError =>
  toAssizeError([
    {
      code: 'ASZ658',
      message: `profile ${profile} changed during reading: ${files.join(', ')}`,
      hint: 'wait: it is read again automatically',
    },
  ]);

/** Wraps any error of a unit or a service, so that other profiles stay available. */
const unexpected = (profile: string, cause: unknown): AssizeError =>
  toAssizeError(
    [{ code: 'ASZ596', message: `profile ${profile} cannot be loaded: ${messageWithCauses(toError(cause))}` }],
    {
      cause,
    },
  );

/** The state of a file: a text that changes with its contents, and the time of the last change. */
interface FileStamp {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** The stamps of files by path. */
export type FileStamps = ReadonlyMap<string, FileStamp>;

const MISSING: FileStamp = { text: 'missing', changedAt: 0 };

const stampOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): FileStamp => ({
  text: `${ino} ${size} ${mtimeNs} ${ctimeNs}`,
  changedAt: Number(ctimeNs / 1_000_000n),
});

/** The current stamps of files: one `stat` each, following links. */
export async function stampsOf(files: Iterable<string>): Promise<FileStamps> {
  const stamp = async (file: string): Promise<[string, FileStamp]> => [
    file,
    await stat(file, { bigint: true }).then(stampOf, () => MISSING),
  ];
  return new Map(await Promise.all([...files].map(stamp)));
}

/** The files whose stamps are new or changed. */
export const changedFiles = (before: FileStamps, now: FileStamps): readonly string[] =>
  [...now].filter(([file, { text }]) => before.get(file)?.text !== text).map(([file]) => file);

/** Whether all files have the same stamps in `others`. */
export const areAmong = (files: FileStamps, others: FileStamps): boolean =>
  [...files].every(([file, { text }]) => others.get(file)?.text === text);

/** The most milliseconds that the clock of a disk may lag behind the process. */
const CLOCK_STEP = 50;

/**
 * Whether files that were read after a time have not changed since. Checks the stamps from before that time or, for a new
 * file, its time of change.
 */
export const wereUnchanged = (before: FileStamps, now: FileStamps, since: number): boolean =>
  [...now].every(([file, { text, changedAt }]) => {
    const earlier = before.get(file);
    return earlier === undefined ? changedAt < since - CLOCK_STEP : earlier.text === text;
  });

/** The events of served profiles. */
export type ProfileEvent =
  /** A version became active. `version` starts with 1 and grows with each change. */
  | {
      readonly kind: 'loaded';
      readonly profile: string;
      readonly version: number;
      readonly warnings: readonly Problem[];
    }
  /** The current files are invalid. The last valid version, if any, stays active. */
  | { readonly kind: 'broken'; readonly profile: string; readonly error: AssizeError; readonly answersOn: boolean }
  | { readonly kind: 'removed'; readonly profile: string }
  /** Modules of its plugins have changed. Node loads them only after a restart. */
  | { readonly kind: 'restart_needed'; readonly profile: string; readonly modules: readonly string[] }
  /** The folder cannot be read. The profiles stay active. */
  | { readonly kind: 'unreadable'; readonly error: AssizeError };
