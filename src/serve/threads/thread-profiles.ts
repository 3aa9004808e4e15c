import { areAmong, ServedProfile, type ServedPipeline } from '../profiles/index.js';
import type { PlainPipelineOptions, ProfileVersion } from './messages.js';

/** The profiles that a thread has loaded. */
export class ThreadProfiles {
  readonly #profiles = new Map<string, ServedProfile>();

  constructor(private readonly options: PlainPipelineOptions) {}

  /** The pipeline of a version; undefined where the files are those of another version now. */
  async pipeline({ profile, stamps }: ProfileVersion): Promise<ServedPipeline | undefined> {
    const known = this.#profiles.get(profile.name);
    const own = known?.file === profile.file ? known : this.#add(profile);
    if (own.pipeline === undefined || !areAmong(own.stamps, stamps)) await own.refresh();
    return own.isSelfContained && areAmong(own.stamps, stamps) ? own.pipeline : undefined;
  }

  #add(profile: ProfileVersion['profile']): ServedProfile {
    // What is tried, and what is said of it, is the business of the thread that answers the others.
    const added = new ServedProfile(profile, { pipeline: this.options, tryOut: async () => [], report: () => {} });
    this.#profiles.set(profile.name, added);
    return added;
  }
}
