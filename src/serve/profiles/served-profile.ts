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
 * Tries a pipeline on what is known of its profile, before it answers.
 *
 * @param file that of its golden cases, which may be missing
 * @returns what is wrong; nothing where all is well
 */
export type TryPipeline = (pipeline: ServedPipeline, file: string) => Promise<readonly Problem[]>;

/** How the profiles of a folder are loaded. */
export interface LoadOptions {
  readonly pipeline: PipelineOptions;
  readonly tryOut: TryPipeline;
  readonly report: (event: ProfileEvent) => void;
}

/** How often a profile is read again that changes while it is read. */
const MAX_READS = 4;

/** One profile: the pipeline that answers, and what is wrong with the files as they are now. */
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
  /** The files that were read last, whether or not they can be used. */
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

  /** The pipeline that answers; undefined where no version of the profile could be used yet. A request takes it once. */
  get pipeline(): ServedPipeline | undefined {
    return this.#pipeline;
  }

  /** Why what is in the files now is not what answers. */
  get error(): AssizeError | undefined {
    return this.#error;
  }

  /** Whether no version of it has answered, because it changed each time it was read. */
  get isBeingWritten(): boolean {
    return this.#error?.code === 'ASZ658';
  }

  /** How many versions of it have answered. */
  get version(): number {
    return this.#version;
  }

  /** Since when this version answers, in milliseconds since 1970. */
  get since(): number {
    return this.#since;
  }

  /** Whether a module of its plugins has changed that a process loads only once. */
  get needsRestart(): boolean {
    return this.#needsRestart;
  }

  /** The files of the version that answers, as they were when it was read. Who finds the same files has the same version. */
  get stamps(): FileStamps {
    return this.#answering;
  }

  /** Whether its runs depend on nothing but files and requests, so that a pipeline of another thread gives the same. */
  get isSelfContained(): boolean {
    return !this.#needsRestart && !this.#shares;
  }

  /** The folders that its files lie in. */
  get folders(): readonly string[] {
    return this.#watched().map((file) => dirname(file));
  }

  /** Loads it where a file has changed, and replaces the pipeline at once where the new one can be used. */
  async refresh(): Promise<void> {
    const changed = changedFiles(this.#stamps, await stampsOf(this.#watched()));
    if (changed.length === 0 && !this.isBeingWritten) return; // it may be again what it was before it was read
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

  /** An empty file would be a profile that scores nothing; it is one that is about to be written. */
  async #checkNotEmpty(): Promise<void> {
    const found = await stat(this.file).catch(() => undefined);
    if (found?.size !== 0) return;
    this.#stamps = await stampsOf(this.#watched());
    throw toAssizeError([
      { code: 'ASZ596', message: `${this.file} is empty`, hint: 'assize new profile has one to start from' },
    ]);
  }

  /**
   * Reads the profile, again where a file has changed meanwhile: no pipeline is half of one version and half of another.
   * Files that go on changing are left to the next look.
   *
   * @returns undefined where they do, and a version answers on
   * @throws AssizeError (ASZ658) where they do, and none does
   */
  async #load(): Promise<ServedPipeline | undefined> {
    for (let reads = 1; ; reads++) {
      const before = await stampsOf(this.#watched()); // oxlint-disable-line no-await-in-loop -- one after another
      const start = Date.now();
      // oxlint-disable-next-line no-await-in-loop -- a profile that has settled is read once
      const [outcome] = await Promise.allSettled([
        createTrackedPipeline<object>(this.file, this.options.pipeline, this.#sources),
      ]);
      const after = await stampsOf(this.#watched()); // oxlint-disable-line no-await-in-loop
      const isSettled = wereUnchanged(before, after, start);
      // What may have been read before its last change is read again with the next look.
      this.#stamps = isSettled ? after : before;
      if (!isSettled && reads < MAX_READS) continue;
      if (!isSettled && this.#pipeline) return undefined;
      if (!isSettled) throw unsettled(this.name, changedFiles(before, after));
      if (outcome.status === 'fulfilled') return outcome.value;
      throw outcome.reason;
    }
  }

  #replace(pipeline: ServedPipeline): void {
    // Not awaited: the runs of the new one wait until it has the memories of the old one.
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
      message: `profile ${profile} changes while it is read: ${files.join(', ')}`,
      hint: 'it is read again when it has changed, and a little later',
    },
  ]);

/** Whatever a unit or a service throws, the others answer on. */
const unexpected = (profile: string, cause: unknown): AssizeError =>
  toAssizeError(
    [{ code: 'ASZ596', message: `profile ${profile} cannot be loaded: ${messageWithCauses(toError(cause))}` }],
    {
      cause,
    },
  );

/** A file at one time: what changes with its contents, and when that was. */
interface FileStamp {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Files at one time, by their paths. */
export type FileStamps = ReadonlyMap<string, FileStamp>;

const MISSING: FileStamp = { text: 'missing', changedAt: 0 };

const stampOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): FileStamp => ({
  text: `${ino} ${size} ${mtimeNs} ${ctimeNs}`,
  changedAt: Number(ctimeNs / 1_000_000n),
});

/** What files look like now: one `stat` each, through links. */
export async function stampsOf(files: Iterable<string>): Promise<FileStamps> {
  const stamp = async (file: string): Promise<[string, FileStamp]> => [
    file,
    await stat(file, { bigint: true }).then(stampOf, () => MISSING),
  ];
  return new Map(await Promise.all([...files].map(stamp)));
}

/** The files that have another stamp than before, or had none. */
export const changedFiles = (before: FileStamps, now: FileStamps): readonly string[] =>
  [...now].filter(([file, { text }]) => before.get(file)?.text !== text).map(([file]) => file);

/** Whether files are those of other stamps, which may have more. */
export const areAmong = (files: FileStamps, others: FileStamps): boolean =>
  [...files].every(([file, { text }]) => others.get(file)?.text === text);

/** How far the clock of a disk may be behind that of the process, in milliseconds. */
const CLOCK_STEP = 50;

/**
 * Whether files that were read after a time are those of the stamps: none has changed since, as far as stamps from before the time
 * tell, or else the file's own time.
 */
export const wereUnchanged = (before: FileStamps, now: FileStamps, since: number): boolean =>
  [...now].every(([file, { text, changedAt }]) => {
    const earlier = before.get(file);
    return earlier === undefined ? changedAt < since - CLOCK_STEP : earlier.text === text;
  });

/** What happens to the profiles of a folder while they are served. */
export type ProfileEvent =
  /** It answers from now on; `version` is 1 for its first, and one more each time that its files have changed. */
  | {
      readonly kind: 'loaded';
      readonly profile: string;
      readonly version: number;
      readonly warnings: readonly Problem[];
    }
  /** What is in its files now cannot be used. Its last version, where there was one, answers on. */
  | { readonly kind: 'broken'; readonly profile: string; readonly error: AssizeError; readonly answersOn: boolean }
  | { readonly kind: 'removed'; readonly profile: string }
  /** Modules of its plugins have changed, and Node keeps them as they were until the process ends. */
  | { readonly kind: 'restart_needed'; readonly profile: string; readonly modules: readonly string[] }
  /** The folder cannot be read; the profiles answer on as they were. */
  | { readonly kind: 'unreadable'; readonly error: AssizeError };
