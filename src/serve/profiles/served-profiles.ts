import { resolve } from 'node:path';
import type { PipelineOptions } from '../../pipeline/node.js';
import { didYouMean, toAssizeError, AssizeError } from '../../base/index.js';
import { findProfiles, type FoundProfiles } from './find-profiles.js';
import { FolderWatcher } from './folder-watcher.js';
import {
  type LoadOptions,
  type ProfileEvent,
  type ServedPipeline,
  ServedProfile,
  type TryPipeline,
} from './served-profile.js';

/** The options of `openProfiles`. */
export interface ServedProfilesOptions {
  /** For every pipeline: units, services, `codegen`. */
  readonly pipeline?: PipelineOptions;
  /** Tries each new version before it answers; what it finds wrong keeps the old one. */
  readonly tryOut?: TryPipeline;
  /** Hears what happens. */
  readonly report?: (event: ProfileEvent) => void;
  /** false: profiles change only by `refresh`. */
  readonly watch?: boolean;
}

/** How long after a change files are read, in milliseconds: whoever writes one often writes several. */
const WAIT_MS = 50;

/** How often files are looked at that no system reports about, such as those of a network, in milliseconds. */
const LOOK_MS = 5000;

/**
 * The profiles of a folder, as they are now: a changed file takes effect at once where it can be used, and otherwise the version
 * before it answers on.
 */
export class ServedProfiles {
  readonly #profiles = new Map<string, ServedProfile>();
  readonly #options: LoadOptions;
  readonly #watcher = new FolderWatcher(() => this.#soon());
  readonly #missing = new Set<string>();
  #folders: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  #refreshing: Promise<void> | undefined;
  #again = false;
  #closed = false;

  private constructor(
    readonly folder: string,
    options: ServedProfilesOptions,
  ) {
    const { pipeline = {}, tryOut = async () => [], report = () => {} } = options;
    this.#options = { pipeline, tryOut, report };
  }

  /** Loads every profile. One that cannot be loaded keeps none of the others from answering. */
  static async open(folder: string, options: ServedProfilesOptions = {}): Promise<ServedProfiles> {
    const profiles = new ServedProfiles(resolve(folder), options);
    await profiles.#load(await findProfiles(profiles.folder));
    if (options.watch ?? true) profiles.#watch();
    return profiles;
  }

  /**
   * The profiles that a tenant may use, by name; without a tenant, all.
   *
   * @param tenant its profiles are those in the folder of its name
   */
  list(tenant?: string): readonly ServedProfile[] {
    return [...this.#profiles.values()].filter((one) => tenant === undefined || one.tenant === tenant);
  }

  /**
   * The profile of a name: `shop`, or `acme/shop`, which the tenant `acme` may call `shop`.
   *
   * @throws AssizeError (ASZ591) where there is none that the tenant may use
   */
  find(name: string, tenant?: string): ServedProfile {
    const found = this.#found(name, tenant);
    if (found) return found;
    const names = this.list(tenant).map((one) => shortName(one, tenant));
    const fallback = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`;
    const hint = didYouMean(name, names, fallback);
    throw toAssizeError([{ code: 'ASZ591', message: `there is no profile ${JSON.stringify(name)}`, hint }]);
  }

  /** Whether there is a profile of a name that the tenant may use. */
  has(name: string, tenant?: string): boolean {
    return this.#found(name, tenant) !== undefined;
  }

  #found(name: string, tenant: string | undefined): ServedProfile | undefined {
    const own = tenant === undefined ? undefined : this.#profiles.get(`${tenant}/${name}`);
    const found = own ?? this.#profiles.get(name);
    return tenant === undefined || found?.tenant === tenant ? found : undefined;
  }

  /**
   * The pipeline that answers for a profile. A request takes it once, and asks no other.
   *
   * @throws AssizeError (ASZ591) where there is no such profile; where it never answered: (ASZ658) while it is being written, and (ASZ596)
   *   where it is broken
   */
  pipeline(name: string, tenant?: string): ServedPipeline {
    const { pipeline, error, isBeingWritten } = this.find(name, tenant);
    if (pipeline) return pipeline;
    if (isBeingWritten) {
      const message = `profile ${name} cannot be used yet: it is being written`;
      throw toAssizeError([{ code: 'ASZ658', message, hint: 'try again' }], { cause: error });
    }
    const message = `profile ${name} cannot be used: it is broken`;
    throw toAssizeError([{ code: 'ASZ596', message, hint: 'assize check says what is wrong' }], { cause: error });
  }

  /** Reads the folder again, and every profile of which a file has changed. */
  refresh(): Promise<void> {
    if (this.#refreshing) this.#again = true;
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  /** Stops watching. The pipelines stay. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#look);
    this.#watcher.close();
    await this.#refreshing;
  }

  async #refresh(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#load(await findProfiles(this.folder)); // oxlint-disable-line no-await-in-loop -- one after another
      } catch (error) {
        if (!(error instanceof AssizeError)) throw error;
        this.#options.report({ kind: 'unreadable', error });
      }
    } while (this.#again && !this.#closed);
    if (this.#look && !this.#closed) this.#follow();
  }

  async #load({ folders, profiles }: FoundProfiles): Promise<void> {
    this.#folders = folders;
    for (const one of profiles) {
      if (this.#profiles.get(one.name)?.file === one.file) continue;
      this.#profiles.set(one.name, new ServedProfile(one, this.#options));
    }
    this.#remove(new Set(profiles.map(({ name }) => name)));
    await Promise.all([...this.#profiles.values()].map((one) => one.refresh()));
  }

  /** Removes what is missing for the second time: a file that is being replaced may be missing for a moment. */
  #remove(found: ReadonlySet<string>): void {
    for (const name of this.#profiles.keys()) {
      if (found.has(name)) this.#missing.delete(name);
      else if (this.#missing.delete(name)) {
        this.#profiles.delete(name);
        this.#options.report({ kind: 'removed', profile: name });
      } else {
        this.#missing.add(name);
        this.#soon();
      }
    }
  }

  #watch(): void {
    this.#look = setInterval(() => void this.refresh(), LOOK_MS);
    this.#look.unref();
    this.#follow();
    this.#soon(); // what has changed before it was watched
  }

  #follow(): void {
    this.#watcher.follow(new Set([...this.#folders, ...this.list().flatMap(({ folders }) => folders)]));
  }

  #soon(): void {
    if (this.#closed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, WAIT_MS);
    this.#timer.unref();
  }
}

/** What a tenant calls its profile. */
export const shortName = ({ name }: Pick<ServedProfile, 'name'>, tenant: string | undefined): string =>
  tenant !== undefined && name.startsWith(`${tenant}/`) ? name.slice(tenant.length + 1) : name;
