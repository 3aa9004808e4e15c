import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AssizeError, type Pipeline, type PipelineOptions, type Problem, toAssizeError } from 'assize';
import { TrackedFiles } from 'assize/internal';
import { messageWithCauses } from '../http/request-error.js';
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

/** The state of the files of a version. Equal stamps mean the same version. */
export type FileStamps = ReadonlyMap<string, { readonly text: string }>;

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
  readonly #files: TrackedFiles;
  #stamps: FileStamps = new Map();
  #shares = false;

  constructor(
    { name, tenant, file }: ProfileFile,
    private readonly options: LoadOptions,
  ) {
    this.name = name;
    this.tenant = tenant;
    this.file = file;
    this.#files = new TrackedFiles([file, expectationsFile(file)], true);
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

  /** The stamps of the active version's files. */
  get stamps(): FileStamps {
    return this.#stamps;
  }

  /** Whether the active version is the one whose files have these stamps. */
  isOf(stamps: FileStamps): boolean {
    return [...this.#stamps].every(([file, { text }]) => stamps.get(file)?.text === text);
  }

  /** Whether its runs depend only on files and requests, so that a pipeline in another thread gives the same result. */
  get isSelfContained(): boolean {
    return !this.#needsRestart && !this.#shares;
  }

  /** The folders of its files. */
  get folders(): readonly string[] {
    return this.#files.paths.map((file) => dirname(file));
  }

  /** Reloads the profile if a file has changed, and replaces the pipeline at once if the new one is valid. */
  async refresh(): Promise<void> {
    const changed = await this.#files.changed();
    if (changed.length === 0 && !this.isBeingWritten) return; // files that change during reading may change back
    this.#forgetChangedModules(changed);
    try {
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

  /**
   * Reads the profile. Files that keep changing are left to the next poll.
   *
   * @returns undefined if the files keep changing and an earlier version is active
   * @throws AssizeError (ASZ658) if the files keep changing and no version is active
   */
  async #load(): Promise<ServedPipeline | undefined> {
    const { outcome, changing } = await this.#files.read(async () => {
      await this.#checkNotEmpty();
      return this.#files.createPipeline<object>(this.file, this.options.pipeline);
    });
    if (changing.length > 0 && this.#pipeline) return undefined;
    if (changing.length > 0) throw unsettled(this.name, changing);
    if (outcome.status === 'fulfilled') return outcome.value;
    throw outcome.reason;
  }

  /** An empty file would be a valid profile without scorers, but is probably about to be written. */
  async #checkNotEmpty(): Promise<void> {
    const found = await stat(this.file).catch(() => undefined);
    if (found?.size !== 0) return;
    throw toAssizeError([
      { code: 'ASZ596', message: `${this.file} is empty`, hint: 'assize new profile writes one to start from' },
    ]);
  }

  #replace(pipeline: ServedPipeline): void {
    // Not awaited: the runs of the new pipeline wait until it has the memory of the old one.
    if (this.#pipeline) void pipeline.continueFrom(this.#pipeline);
    this.#pipeline = pipeline;
    this.#stamps = this.#files.stamps;
    this.#shares = this.#files.areRunsShared;
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
    const stale = this.#files.forgetModules(changed);
    if (stale.length === 0) return;
    this.#needsRestart = true;
    this.options.report({ kind: 'restart_needed', profile: this.name, modules: stale });
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
  toAssizeError([{ code: 'ASZ596', message: `profile ${profile} cannot be loaded: ${messageWithCauses(cause)}` }], {
    cause,
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
