import { createPipeline, type ProfileInput, type Ranking } from 'assize/browser';
import { storedUnits } from '../../data/stored-units.js';
import type { StudioData } from '../../data/studio-data.js';
import type { FileEdit } from '../../save/data-edit.js';
import {
  entriesOf,
  hasCases,
  isOn,
  NOTHING_SET,
  profileWith,
  remoteEdits,
  type Settings,
  type Switch,
} from '../settings/settings.js';
import { type Agreement, agreementOf, classProfile } from './class-profile.js';
import { withKnownScores } from './known-scores.js';
import { weighedScorers, type WeighedScorer } from '../settings/weighed-scorers.js';

/** Asks the server to rank by the profile with edits. The answer has no candidates. */
export interface AskServer {
  (edits: readonly FileEdit[]): Promise<StudioData>;
  /** Whether only some edits have an answer: those that an exported page contains. */
  readonly isLimited?: boolean;
}

/** No edits. */
const NOTHING_STORED = '[]';

/** Whether any edit has an answer. */
export const hasServer = (ask: AskServer | undefined): boolean => ask !== undefined && ask.isLimited !== true;

/**
 * Ranks the candidates of a page by settings. Every number is the engine's: a weight is weighed again by `reweigh`, what
 * else changes the profile ranks again, and what classes compute is asked of the server.
 */
export class Ranker {
  #base!: Ranking<object>;
  /** What `#base` was ranked by: its weights and limits may differ from those of the settings. */
  #builtFor = '';
  #refusals: ReadonlyMap<string, number> | undefined;
  /** What is ranked: the page's data, or what the server made of them by a change. */
  #stored: StudioData;
  #storedFor = NOTHING_STORED;
  /** The entries that refused candidates of which classes would have to give scores. */
  #refusers: ReadonlySet<string> = new Set();
  #units: ReturnType<typeof storedUnits>;
  /** How the page ranks by the classes of the profile, if it has all of them. */
  #classes: Promise<Agreement> | undefined;
  /** The ranking by the classes, without settings. */
  #byOwnClasses: Ranking<object> | undefined;
  /** Whether the last ranking is to the bit that of the server, with all that it says about the items. */
  #isExact = true;
  readonly #scorers: readonly WeighedScorer[];

  private constructor(
    /** The data of the profile that the settings are relative to. */
    readonly data: StudioData,
    readonly ask: AskServer | undefined,
    /** Whether the profile has classes instead of stored results, by which the server ranks with other roundings. */
    private readonly isNear: boolean,
  ) {
    this.#scorers = weighedScorers(data);
    this.#stored = data;
    this.#units = storedUnits(data);
  }

  /**
   * @param classes how the page ranks by the classes, if the profile has them instead of stored results
   * @param quick the ranking by this profile, if it was made from the scores of another ranking
   * @throws AssizeError where the profile does not rank
   */
  static async open(
    data: StudioData,
    ask: AskServer | undefined,
    classes?: Agreement,
    quick?: Ranking<object>,
  ): Promise<Ranker> {
    const ranker = new Ranker(data, ask, classes === 'near' || quick !== undefined);
    if (classes) ranker.#classes = Promise.resolve(classes);
    if (quick) {
      ranker.#base = quick;
      ranker.#builtFor = builtFor(data, NOTHING_SET).key;
      ranker.#isExact = false;
    }
    const { refused } = await ranker.rank(NOTHING_SET);
    if (Object.keys(data.scores).length > 0) ranker.#refusers = new Set(refused.map(({ by }) => by));
    return ranker;
  }

  /**
   * Weighs again where only weights and limits differ, and ranks again where entries or cases do.
   *
   * @param isFinal whether the server ranks if the classes of the page would not rank to the bit as it does
   */
  async rank(settings: Settings, isFinal = false): Promise<Ranking<object>> {
    const { weights, top, minScore } = settings;
    const { byCase, built, key: wanted } = builtFor(this.data, settings);
    if (wanted !== this.#builtFor || (isFinal && !this.#isExact)) {
      this.#base = (isFinal ? undefined : await this.#byClasses(built)) ?? (await this.#byStored(built));
      this.#builtFor = wanted;
      this.#refusals = undefined;
    }
    const overrides = {
      ...(Object.keys(weights).length > 0 && { weights: this.#inRun(settings) }),
      ...(top !== undefined && { top }),
      ...(minScore !== undefined && { minScore }),
    };
    return byCase || Object.keys(overrides).length === 0 ? this.#base : this.#base.reweigh(overrides);
  }

  /** Ranks by stored results, of which the server makes those that settings change. */
  async #byStored(settings: Settings): Promise<Ranking<object>> {
    await this.#store(settings);
    const ranking = await this.#run(profileWith(this.#stored.profile, settings));
    this.#isExact = !this.isNear || this.#storedFor !== NOTHING_STORED;
    return ranking;
  }

  /** Ranks by changes that need classes, if the page has these; undefined without such changes, or if only the server can. */
  async #byClasses(settings: Settings): Promise<Ranking<object> | undefined> {
    if (this.remoteEdits(settings).length === 0) return undefined;
    const agreement = await this.prepareClasses();
    const profile = agreement === 'other' ? undefined : classProfile(this.data, settings);
    // A problem of the params is reported by the server, with its place in the file.
    if (!profile) return undefined;
    const changed = new Set(Object.keys(settings.params));
    // A switch may change which items others score, and what they can read.
    const isSwitched = settings.off.length + settings.on.length > 0;
    const quick = isSwitched ? undefined : await this.quickRanking(profileWith(profile, settings), changed);
    const ranking = quick ?? (await this.#run(profileWith(profile, settings)).catch(() => undefined));
    if (ranking) this.#isExact = agreement === 'same' && !quick;
    return ranking;
  }

  /**
   * Ranks by a profile that only differs in params of some entries, and computes only their scores. Undefined if others
   * may differ. The result has no details of the other scores: the server ranks after a pause.
   */
  async quickRanking(profile: ProfileInput, changed: ReadonlySet<string>): Promise<Ranking<object> | undefined> {
    const before = this.#byOwnClasses;
    const known = before && withKnownScores(profile, before, changed);
    if (!known) return undefined;
    const units = { ...this.#units, ...storedUnits({ ...this.data, scores: known.scores, refusals: {} }) };
    const ranking = await this.#run(known.profile, units).catch(() => undefined);
    return ranking?.refused.length === before.refused.length ? ranking : undefined;
  }

  /**
   * Loads the classes of the profile, if the page has all of them, and ranks by them once, to compare that with the
   * server's ranking. Unless they differ, a change of a param does not wait for the server.
   */
  prepareClasses(): Promise<Agreement> {
    this.#classes ??= this.#compareClasses().catch((error: unknown) => {
      if (error instanceof TypeError) this.#classes = undefined; // a script did not load
      return 'other';
    });
    return this.#classes;
  }

  /** Whether the last ranking is to the bit that of the server. */
  get isExact(): boolean {
    return this.#isExact;
  }

  async #compareClasses(): Promise<Agreement> {
    const profile = hasServer(this.ask) ? classProfile(this.data, NOTHING_SET) : undefined;
    if (!profile) return 'other';
    const byClasses = await this.#run(profileWith(profile, NOTHING_SET));
    const stored = await this.#run(profileWith(this.data.profile, NOTHING_SET), storedUnits(this.data));
    const agreement = agreementOf(byClasses, stored);
    if (agreement !== 'other') this.#byOwnClasses = byClasses;
    return agreement;
  }

  async #run(profile: ProfileInput, units = this.#units): Promise<Ranking<object>> {
    const pipeline = await createPipeline<object>(profile, { units });
    return pipeline.rankSync(this.data.candidates, this.data.context, { prune: false });
  }

  /**
   * The edits that the server ranks by for settings.
   *
   * @param refusers the entries that have refused candidates; by default those of this ranking
   */
  remoteEdits(settings: Settings, refusers = this.#refusers): readonly FileEdit[] {
    return remoteEdits(this.data.profile, settings, refusers);
  }

  /** Has the server make what only it can. */
  async #store(settings: Settings): Promise<void> {
    const edits = this.remoteEdits(settings);
    const wanted = JSON.stringify(edits);
    if (wanted === this.#storedFor) return;
    if (edits.length > 0 && !this.ask) {
      throw new Error('this page has no server, so params and vetoes cannot be changed');
    }
    const changed = edits.length > 0 ? await this.ask!(edits) : this.data;
    this.#stored = { ...changed, candidates: this.data.candidates };
    this.#units = storedUnits(this.#stored);
    this.#storedFor = wanted;
  }

  /** How many candidates each veto refused: other weights change nothing of that. */
  get refusalsByVeto(): ReadonlyMap<string, number> {
    this.#refusals ??= countBy(this.#base.refused.map(({ by }) => by));
    return this.#refusals;
  }

  /** Whether weights mean anything to this profile. */
  get readsWeights(): boolean {
    return this.#base.weights !== undefined;
  }

  /** Whether an entry can be switched off, or on: where there is no server, not what only that can do. */
  canSwitch({ id, class: ofClass, enabled }: Switch): boolean {
    const isMeasure = entriesOf(this.data.profile, 'measures').some((measure) => measure['id'] === id);
    const isRemote = isMeasure || this.#refusers.has(String(id)) || (enabled === false && ofClass !== undefined);
    return hasServer(this.ask) || !isRemote;
  }

  /**
   * Weighs again once, by weights that are nearly as they are: fractions, in another order. What is done for the first time
   * takes several times as long, and a weight that is moved should not have to wait for that.
   */
  async warmUp(settings = NOTHING_SET): Promise<Ranking<object> | undefined> {
    if (hasCases(this.data.profile) || !this.readsWeights) return undefined;
    const weights = this.#scorers.flatMap(({ id, weight }, k) =>
      typeof weight === 'number' ? [[id, weight * (1 + 1 / (k + 3))]] : [],
    );
    return this.rank({ ...settings, weights: Object.fromEntries(weights) });
  }

  /** Only the weights of scorers that the profile has, and that are not switched off. */
  #inRun(settings: Settings): Settings['weights'] {
    const on = new Set(this.#scorers.filter((scorer) => isOn(settings, scorer)).map(({ id }) => id));
    return Object.fromEntries(Object.entries(settings.weights).filter(([id]) => on.has(id)));
  }
}

/** The settings that a ranking is built by: weights and limits are applied to it, unless weights depend on cases. */
function builtFor({ profile }: StudioData, settings: Settings) {
  const { cases, params, off, on } = settings;
  const byCase = hasCases(profile);
  const built: Settings = byCase ? settings : { ...NOTHING_SET, cases, params, off, on };
  return { byCase, built, key: JSON.stringify(built) };
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
