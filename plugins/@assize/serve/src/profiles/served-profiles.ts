import { resolve } from 'node:path';
import { AssizeError, didYouMean, type PipelineOptions, toAssizeError } from 'assize';
import { FolderWatcher } from 'assize/internal';
import { findProfiles, type FoundProfiles } from './find-profiles.js';
import {
  type LoadOptions,
  type ProfileEvent,
  type ServedPipeline,
  ServedProfile,
  type TryPipeline,
} from './served-profile.js';

/** The options of `openProfiles`. */
export interface ServedProfilesOptions {
  /** The options of every pipeline: units, services, `codegen`. */
  readonly pipeline?: PipelineOptions;
  /** Tests each new version before it becomes active. If it finds problems, the old version stays. */
  readonly tryOut?: TryPipeline;
  /** Called with each event. */
  readonly report?: (event: ProfileEvent) => void;
  /** If false, profiles are reloaded only by `refresh`. */
  readonly watch?: boolean;
}

/** Milliseconds between a change and reading, because several files are often written together. */
const WAIT_MS = 50;

/** The polling interval in milliseconds, for files without change events, such as those on a network. */
const LOOK_MS = 5000;

/**
 * The current profiles of a folder. A changed file takes effect at once if it is valid; otherwise the version before stays
 * active.
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

  /** Loads every profile. A broken profile does not affect the others. */
  static async open(folder: string, options: ServedProfilesOptions = {}): Promise<ServedProfiles> {
    const profiles = new ServedProfiles(resolve(folder), options);
    await profiles.#load(await findProfiles(profiles.folder));
    if (options.watch ?? true) profiles.#watch();
    return profiles;
  }

  /**
   * The profiles that a tenant may use, by name; without a tenant, all.
   *
   * @param tenant its profiles are in the folder with its name
   */
  list(tenant?: string): readonly ServedProfile[] {
    return [...this.#profiles.values()].filter((one) => tenant === undefined || one.tenant === tenant);
  }

  /**
   * The profile of a name: `shop`, or `acme/shop`, which the tenant `acme` may call `shop`.
   *
   * @throws AssizeError (ASZ591) if the tenant has no such profile
   */
  find(name: string, tenant?: string): ServedProfile {
    const found = this.#found(name, tenant);
    if (found) return found;
    const names = this.list(tenant).map((one) => shortName(one, tenant));
    const fallback = names.length === 0 ? 'the folder has no profiles' : `the profiles are: ${names.join(', ')}`;
    const hint = didYouMean(name, names, fallback);
    throw toAssizeError([{ code: 'ASZ591', message: `there is no profile ${JSON.stringify(name)}`, hint }]);
  }

  /** Whether the tenant may use a profile with this name. */
  has(name: string, tenant?: string): boolean {
    return this.#found(name, tenant) !== undefined;
  }

  #found(name: string, tenant: string | undefined): ServedProfile | undefined {
    const own = tenant === undefined ? undefined : this.#profiles.get(`${tenant}/${name}`);
    const found = own ?? this.#profiles.get(name);
    return tenant === undefined || found?.tenant === tenant ? found : undefined;
  }

  /**
   * The active pipeline of a profile. A request calls this once, so that it uses one version.
   *
   * @throws AssizeError (ASZ591) if the profile does not exist; if it was never valid: (ASZ658) while it is being written,
   *   else (ASZ596)
   */
  pipeline(name: string, tenant?: string): ServedPipeline {
    const { pipeline, error, isBeingWritten } = this.find(name, tenant);
    if (pipeline) return pipeline;
    if (isBeingWritten) {
      const message = `profile ${name} cannot be used yet: it is being written`;
      throw toAssizeError([{ code: 'ASZ658', message, hint: 'try again later' }], { cause: error });
    }
    const message = `profile ${name} cannot be used: it is broken`;
    throw toAssizeError([{ code: 'ASZ596', message, hint: 'run assize check to see its problems' }], { cause: error });
  }

  /** Reads the folder again, and reloads every profile with a changed file. */
  refresh(): Promise<void> {
    if (this.#refreshing) this.#again = true;
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  /** Stops watching. The pipelines stay usable. */
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

  /** Removes profiles that are missing for the second time, because a file that is being replaced may be missing briefly. */
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
    this.#soon(); // finds changes from before the watch
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

/** The name of a profile for its tenant. */
export const shortName = ({ name }: Pick<ServedProfile, 'name'>, tenant: string | undefined): string =>
  tenant !== undefined && name.startsWith(`${tenant}/`) ? name.slice(tenant.length + 1) : name;
