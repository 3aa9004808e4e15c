import { createPipeline, type Pipeline, type ProfileInput, type Ranking } from '../../browser/index.js';
import { storedUnits } from '../data/stored-units.js';
import type { RemoteChange, StudioData } from '../data/studio-data.js';
import { type Overlap, overlapOf } from './overlap.js';
import { NO_QUALITY, type Quality, qualityOf } from './quality.js';
import { hasCases, NOTHING_SET, profileWith, remoteOf, type Settings, unsaved } from './settings.js';

/** A scorer that has a weight, as the page shows it. */
export interface WeighedScorer {
  readonly id: string;
  /** Its class or expression. */
  readonly unit: string;
  /** As the profile writes it; an expression is shown, and not dragged. */
  readonly weight: number | string;
}

/** An order of the candidates, to compare others with. */
export interface Snapshot {
  readonly settings: Settings;
  /** By position of the candidate: its rank, from 1; 0 where it has none. */
  readonly ranks: Int32Array;
  /** The positions of the candidates, best first. */
  readonly order: Int32Array;
  readonly selected: ReadonlySet<number>;
  /** How good it is by the judgements, by measure; empty without any. */
  readonly quality: Quality;
}

/** Asks the server for what only it can do. */
type AskServer = (change: RemoteChange) => Promise<StudioData>;

type Entry = Readonly<Record<string, unknown>>;

/**
 * What the page of a studio shows: a ranking, the settings that it is by, and what it is compared with. Every number in it
 * is the engine's: a weight is weighed again by `reweigh`, and what else changes the profile ranks again.
 */
export class StudioModel {
  #base!: Ranking<object>;
  /** What `#base` was ranked by: its weights and limits may differ from `settings`. */
  #builtFor = '';
  #ranking!: Ranking<object>;
  #refusals: ReadonlyMap<string, number> | undefined;
  #settings: Settings = NOTHING_SET;
  #baseline!: Snapshot;
  readonly #past: Settings[] = [];
  readonly #future: Settings[] = [];
  #turn = 0;
  #last: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();
  /** What is ranked: the page's data, or what the server made of them by a change. */
  #stored: StudioData;
  #storedFor = '';
  /** The entries that refused candidates of which classes would have to give scores. */
  #refusers: ReadonlySet<string> = new Set();
  #units: ReturnType<typeof storedUnits>;

  private constructor(
    readonly data: StudioData,
    private readonly ask: AskServer | undefined,
  ) {
    this.#stored = data;
    this.#units = storedUnits(data);
  }

  /** @throws AssizeError where the profile does not rank */
  static async open(data: StudioData, settings: Settings = NOTHING_SET, ask?: AskServer): Promise<StudioModel> {
    const model = new StudioModel(data, ask);
    await model.#rank(NOTHING_SET);
    model.#rememberRefusers();
    model.#baseline = model.snapshot();
    if (settings !== NOTHING_SET) await model.set(settings);
    return model;
  }

  /** The same page by other data: with what is set and not saved, and the baseline, which is of the same candidates. */
  async reloaded(data: StudioData): Promise<StudioModel> {
    const model = new StudioModel(data, this.ask);
    const { length } = data.candidates;
    await model.#rank(NOTHING_SET);
    model.#rememberRefusers();
    model.#baseline = this.data.candidates.length === length ? this.#baseline : model.snapshot();
    await model.#rank(unsaved(data, this.#settings));
    return model;
  }

  get ranking(): Ranking<object> {
    return this.#ranking;
  }

  get settings(): Settings {
    return this.#settings;
  }

  get baseline(): Snapshot {
    return this.#baseline;
  }

  /** Whether anything is set that the profile does not say. */
  get changed(): boolean {
    const { weights, cases, params, off, top, minScore } = this.#settings;
    return (
      [weights, cases, params, off].some((part) => Object.keys(part).length > 0) ||
      top !== undefined ||
      minScore !== undefined
    );
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** The scorers, in the order of the profile; none where its combine reads no weights. */
  get scorers(): readonly WeighedScorer[] {
    const entries = (this.data.profile.tier2_scorers ?? []) as readonly Entry[];
    return entries.filter(({ enabled }) => enabled !== false).map((entry) => this.#weighed(entry));
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

  #weighed(entry: Entry): WeighedScorer {
    const id = String(entry['id']);
    const { weight = 1, expr = '' } = entry as { weight?: number | string; expr?: string };
    return { id, unit: this.data.units[id] ?? expr, weight };
  }

  /** The weight of a scorer as it is set, or as the profile writes it. */
  weightOf(id: string, inCase?: string): number | string {
    const { weights, cases } = this.#settings;
    const written = this.scorers.find((one) => one.id === id)?.weight ?? 1;
    if (inCase === undefined) return weights[id] ?? written;
    const own = (this.data.profile.weights as { cases?: Record<string, Record<string, number>> } | undefined)?.cases;
    return cases[inCase]?.[id] ?? own?.[inCase]?.[id] ?? this.weightOf(id);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Applies settings, as one step that can be undone. */
  async set(settings: Settings): Promise<void> {
    this.#past.push(this.#settings);
    this.#future.length = 0;
    await this.#apply(settings);
  }

  /** Applies settings while something is dragged: a step of its own only when it is dropped. */
  preview(settings: Settings): Promise<void> {
    return this.#apply(settings);
  }

  async undo(): Promise<void> {
    const last = this.#past.pop();
    if (last === undefined) return;
    this.#future.push(this.#settings);
    await this.#apply(last);
  }

  async redo(): Promise<void> {
    const next = this.#future.pop();
    if (next === undefined) return;
    this.#past.push(this.#settings);
    await this.#apply(next);
  }

  /** Compares from now on with what is shown. */
  pin(): void {
    this.#baseline = this.snapshot();
    this.#tell();
  }

  /** Applies settings after those before them; what is overtaken by newer ones meanwhile is never ranked. */
  #apply(settings: Settings): Promise<void> {
    const turn = (this.#turn += 1);
    const applied = this.#last.then(async () => {
      if (turn !== this.#turn) return;
      await this.#rank(settings);
      this.#tell();
    });
    this.#last = applied.catch(() => {});
    return applied;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Weighs again where only weights and limits differ, and ranks again where entries or cases do. */
  async #rank(settings: Settings): Promise<void> {
    const { weights, cases, params, off, top, minScore } = settings;
    await this.#store(settings);
    const byCase = hasCases(this.data.profile);
    const wanted = JSON.stringify(byCase ? settings : { cases, params, off });
    if (wanted !== this.#builtFor) {
      const profile = profileWith(this.#stored.profile, byCase ? settings : { ...NOTHING_SET, cases, off });
      this.#base = (await this.#pipeline(profile)).rankSync(this.data.candidates, this.data.context, { prune: false });
      this.#builtFor = wanted;
      this.#refusals = undefined;
    }
    const asked = { ...(Object.keys(weights).length > 0 && { weights: this.#onOnly(weights, off) }) };
    const limits = { ...(top !== undefined && { top }), ...(minScore !== undefined && { min_score: minScore }) };
    const overrides = { ...asked, ...limits };
    this.#ranking = byCase || Object.keys(overrides).length === 0 ? this.#base : this.#base.reweigh(overrides);
    this.#settings = settings;
  }

  /** Has the server make what only it can. */
  async #store(settings: Settings): Promise<void> {
    const change = remoteOf(settings, this.#refusers);
    const wanted = JSON.stringify(change ?? '');
    if (wanted === this.#storedFor) return;
    if (change && !this.ask) throw new Error('this page has no server, which params and vetoes need');
    const changed = change ? await this.ask!(change) : this.data;
    this.#stored = { ...changed, candidates: this.data.candidates };
    this.#units = storedUnits(this.#stored);
    this.#storedFor = wanted;
  }

  #rememberRefusers(): void {
    if (Object.keys(this.data.scores).length > 0) this.#refusers = new Set(this.#base.refused.map(({ by }) => by));
  }

  /** Whether only the server can switch it off. */
  needsServer(id: string): boolean {
    return this.#refusers.has(id);
  }

  /** Whether there is a server, for what the page cannot do. */
  get hasServer(): boolean {
    return this.ask !== undefined;
  }

  /** Only the weights of scorers that are in the run. */
  #onOnly(weights: Settings['weights'], off: readonly string[]): Record<string, number> {
    return Object.fromEntries(Object.entries(weights).filter(([id]) => !off.includes(id)));
  }

  #pipeline(profile: ProfileInput): Promise<Pipeline<object>> {
    return createPipeline<object>(profile, { units: this.#units });
  }

  /** The order that is shown, to compare others with. */
  snapshot(): Snapshot {
    const { order, matrix, selected } = this.#ranking;
    const ranks = new Int32Array(this.data.candidates.length);
    const positions = order.map((row) => matrix.index[row]!);
    for (let k = 0; k < positions.length; k++) ranks[positions[k]!] = k + 1;
    const { grades } = this.data;
    return {
      settings: this.#settings,
      ranks,
      order: positions,
      selected: new Set(selected.map(({ index }) => index)),
      quality: grades ? qualityOf(this.#ranking, positions, grades) : NO_QUALITY,
    };
  }

  /** How the order that is shown agrees with the baseline. */
  overlap(shown: Snapshot): Overlap {
    return overlapOf(this.#baseline.order, shown.order, Math.max(this.#ranking.selected.length, 1));
  }
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
