import type { Ranking } from '../../browser/index.js';
import type { StudioData } from '../data/studio-data.js';
import { History, type Kept, type KeptFor } from './history.js';
import { type Overlap, overlapOf } from './overlap.js';
import { type AskServer, Ranker } from './ranker.js';
import { NewestWork } from './newest-work.js';
import { isNothing, NOTHING_SET, type Settings } from './settings.js';
import { type Snapshot, snapshotOf, snapshotOfOther, topOf } from './snapshot.js';
import { Undo } from './undo.js';
import { inFull, unsaved } from './unsaved.js';
import { weighedScorers, type WeighedScorer, weightIn } from './weighed-scorers.js';

/** What the page of a studio shows: a ranking, the settings that it is by, and what it is compared with. */
export class StudioModel {
  #ranking!: Ranking<object>;
  #shown: Snapshot | undefined;
  #settings: Settings = NOTHING_SET;
  /** What was set last, without what is being dragged. */
  #dropped: Settings = NOTHING_SET;
  #baseline!: Snapshot;
  #steps = new Undo<Settings>();
  readonly #work = new NewestWork(() => this.#tell());
  readonly #listeners = new Set<() => void>();

  private constructor(
    readonly data: StudioData,
    readonly ranker: Ranker,
    readonly history: History,
  ) {}

  /** @throws AssizeError where the profile does not rank */
  static async open(data: StudioData, settings: Settings = NOTHING_SET, ask?: AskServer): Promise<StudioModel> {
    const model = await StudioModel.#ranked(data, ask, new History());
    model.#keepOthers();
    model.#keep('opened', 'As opened');
    if (settings !== NOTHING_SET) await model.set(settings);
    return model;
  }

  static async #ranked(data: StudioData, ask: AskServer | undefined, history: History): Promise<StudioModel> {
    const model = new StudioModel(data, await Ranker.open(data, ask), history);
    await model.#rank(NOTHING_SET);
    model.#baseline = model.shown;
    return model;
  }

  /** The same candidates by the file as it is now: with what is set and not saved, what is kept, and the baseline. */
  async reloaded(data: StudioData, keptFor: KeptFor = 'reloaded'): Promise<StudioModel> {
    const history = await this.history.withSnapshots(async ({ name, settings, snapshot }) =>
      settings ? snapshot : snapshotOfOther(data, name),
    );
    const model = await StudioModel.#ranked(data, this.ranker.ask, history);
    model.#keep(keptFor, keptFor === 'saved' ? 'Saved' : 'Changed on the disk');
    model.#takeBaseline(this);
    model.#dropped = unsaved(data, this.#settings);
    await model.#rank(model.#dropped);
    return model;
  }

  /** The same page about other candidates: what is set, the steps back, and what is kept. */
  async about(data: StudioData, ask: AskServer | undefined): Promise<StudioModel> {
    const ranker = await Ranker.open(data, ask);
    const history = await this.history.withSnapshots(async ({ name, settings: full }) => {
      if (!full) return snapshotOfOther(data, name);
      const settings = unsaved(data, full);
      return snapshotOf(data, await ranker.rank(settings), settings);
    });
    const model = new StudioModel(data, ranker, history);
    model.#steps = this.#steps;
    model.#dropped = this.#dropped;
    await model.#rank(this.#dropped);
    model.#takeBaseline(this);
    return model;
  }

  /** Compares with what another model of this page compares with. */
  #takeBaseline({ baselineKept }: StudioModel): void {
    this.#baseline = this.history.kept.find(({ key }) => key === baselineKept?.key)?.snapshot ?? this.shown;
  }

  get ranking(): Ranking<object> {
    return this.#ranking;
  }

  /** The order that is shown, to compare others with. */
  get shown(): Snapshot {
    this.#shown ??= snapshotOf(this.data, this.#ranking, this.#settings);
    return this.#shown;
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** What was set last, also while it is not ranked by yet: what is set next is set beside it. */
  get lastSet(): Settings {
    return this.#dropped;
  }

  get baseline(): Snapshot {
    return this.#baseline;
  }

  /** What the baseline was kept as. */
  get baselineKept(): Kept | undefined {
    return this.history.kept.find(({ snapshot }) => snapshot === this.#baseline);
  }

  /** Whether something takes long enough to be waited for. */
  get isBusy(): boolean {
    return this.#work.isBusy;
  }

  /** Whether anything is set that the profile does not say. */
  get changed(): boolean {
    return !isNothing(this.#settings);
  }

  get canUndo(): boolean {
    return this.#steps.canUndo;
  }

  get canRedo(): boolean {
    return this.#steps.canRedo;
  }

  /** The scorers, in the order of the profile. */
  get scorers(): readonly WeighedScorer[] {
    return weighedScorers(this.data);
  }

  /** The weight of a scorer as it is set, or as the profile writes it. */
  weightOf(id: string, inCase?: string): number | string {
    return weightIn(this.data, this.#settings, id, inCase);
  }

  /** The name of an entry for people. */
  nameOf(id: string): string {
    const { labels = {} } = this.#ranking;
    return Object.hasOwn(labels, id) ? labels[id]! : id;
  }

  /** The id of a candidate. */
  idOf(position: number): string {
    const row = this.#ranking.rankedAt(this.shown.ranks[position]!);
    return row?.id ?? this.#ranking.explain({ index: position }).id;
  }

  /** Whether there is a server, for what the page cannot do. */
  get hasServer(): boolean {
    return this.ranker.ask !== undefined;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Applies settings, as one step that can be undone. */
  async set(settings: Settings): Promise<void> {
    this.#steps.push(this.#dropped);
    await this.#drop(settings);
  }

  /** Applies settings while something is dragged: a step of its own only when it is dropped. */
  preview(settings: Settings): Promise<void> {
    return this.#apply(settings);
  }

  async undo(): Promise<void> {
    const last = this.#steps.undo(this.#dropped);
    if (last !== undefined) await this.#drop(last);
  }

  async redo(): Promise<void> {
    const next = this.#steps.redo(this.#dropped);
    if (next !== undefined) await this.#drop(next);
  }

  async #drop(settings: Settings): Promise<void> {
    const before = this.#dropped;
    this.#dropped = settings;
    try {
      await this.#apply(settings);
    } catch (error) {
      if (this.#dropped === settings) this.#dropped = before;
      throw error;
    }
  }

  /** Compares from now on with what is shown, or with what was kept. */
  pin(kept: Kept = this.#keep('pinned', 'Baseline')): void {
    this.#baseline = kept.snapshot;
    this.#tell();
  }

  /** Keeps what is shown, under a name. */
  keep(name: string): void {
    this.#keep('named', name);
    this.#tell();
  }

  /** Sets what was set or written when something was kept, as a step that can be undone. */
  async goBackTo({ settings }: Kept): Promise<void> {
    if (settings) await this.set(unsaved(this.data, settings));
  }

  #keepOthers(): void {
    for (const { title } of this.data.others ?? []) {
      const snapshot = snapshotOfOther(this.data, title);
      if (snapshot) this.history.add({ name: title, for: 'profile', snapshot });
    }
  }

  #keep(keptFor: KeptFor, name: string): Kept {
    const { file } = this.data;
    const settings = inFull(this.data, this.#settings);
    return this.history.add({
      name,
      for: keptFor,
      snapshot: this.shown,
      settings,
      ...(file && { version: file.version }),
    });
  }

  /** Applies settings after those before them; what is overtaken by newer ones meanwhile is never ranked. */
  #apply(settings: Settings): Promise<void> {
    return this.#work.do(() => this.#rank(settings));
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  async #rank(settings: Settings): Promise<void> {
    this.#ranking = await this.ranker.rank(settings);
    this.#settings = settings;
    this.#shown = undefined;
  }

  /** How the order that is shown agrees with the baseline. */
  get overlap(): Overlap {
    return overlapOf(this.#baseline.order, this.shown.order, topOf(this.shown));
  }
}
