import type { Ranking } from 'assize/browser';
import type { StudioData } from '../../data/studio-data.js';
import { SettingSteps } from '../settings/setting-steps.js';
import { isNothing, NOTHING_SET, type Settings } from '../settings/settings.js';
import { inFull, unsaved } from '../settings/unsaved.js';
import { weighedScorers, type WeighedScorer, weightIn } from '../settings/weighed-scorers.js';
import { History, type Kept, type KeptFor } from './history.js';
import { NewestWork } from './newest-work.js';
import { type AskServer, Ranker } from './ranker.js';
import { type Snapshot, snapshotOf, snapshotOfOther } from './snapshot.js';

/** What the page of a studio shows: a ranking, the settings that it is by, and what it is compared with. */
export class StudioModel {
  #ranking!: Ranking<object>;
  /** What the ranking is by. */
  #rankedBy: Settings = NOTHING_SET;
  #shown: Snapshot | undefined;
  #steps = new SettingSteps();
  #baseline!: Snapshot;
  /** How often anything was set or kept. */
  #changes = 0;
  readonly #work = new NewestWork(() => this.#tell());
  readonly #listeners = new Set<() => void>();
  readonly #changeCount = (): number => this.#changes;

  private constructor(
    readonly data: StudioData,
    readonly ranker: Ranker,
    readonly history: History,
  ) {}

  /** @throws AssizeError where the profile does not rank */
  static async open(data: StudioData, settings: Settings = NOTHING_SET, ask?: AskServer): Promise<StudioModel> {
    const model = new StudioModel(data, await Ranker.open(data, ask), new History());
    await model.#rank(NOTHING_SET);
    model.#baseline = model.shown;
    model.#keepOthers();
    model.#keep('opened', 'As opened');
    const rehearsed = await model.ranker.warmUp();
    if (rehearsed) snapshotOf(data, rehearsed, NOTHING_SET);
    if (settings !== NOTHING_SET) await model.set(settings);
    return model;
  }

  /**
   * The same candidates by the files as they are now: with what is set and not saved, the steps back, what is kept, and
   * the baseline.
   *
   * @param keptFor what the ranking by the profile's own file is kept for; not kept where only others have changed
   */
  async reloaded(data: StudioData, keptFor: 'saved' | 'reloaded' | undefined): Promise<StudioModel> {
    const ranker = await Ranker.open(data, this.ranker.ask);
    // What was saved is in the file now: what was otherwise before it is from now on set.
    const carry = (step: Settings) => unsaved(data, keptFor === 'saved' ? inFull(this.data, step) : step);
    return untilStill(this.#changeCount, async () => {
      const history = await this.history.withSnapshots(async ({ name, settings, snapshot }) =>
        settings ? snapshot : snapshotOfOther(data, name),
      );
      const model = new StudioModel(data, ranker, history);
      await model.#rank(NOTHING_SET);
      if (keptFor) model.#keep(keptFor, keptFor === 'saved' ? 'Saved' : 'Changed on disk');
      model.#takeBaseline(this);
      // A baseline that the user did not choose is the file: after a save, the saved one.
      if (keptFor === 'saved' && !isChosen(this.baselineKept)) model.#baseline = model.shown;
      await model.#takeSteps(this, carry);
      return model;
    });
  }

  /** The same page about other candidates: what is set, the steps back, and what is kept. */
  async about(data: StudioData, ask: AskServer | undefined): Promise<StudioModel> {
    const ranker = await Ranker.open(data, ask);
    return untilStill(this.#changeCount, async () => {
      const history = await this.history.withSnapshots(async ({ name, settings: full }) => {
        if (!full) return snapshotOfOther(data, name);
        const settings = unsaved(data, full);
        return snapshotOf(data, await ranker.rank(settings), settings);
      });
      const model = new StudioModel(data, ranker, history);
      await model.#takeSteps(this, (step) => step);
      model.#takeBaseline(this);
      return model;
    });
  }

  /** Ranks by what is set in another model of this page, with its steps back. */
  async #takeSteps(other: StudioModel, carry: (step: Settings) => Settings): Promise<void> {
    this.#steps = other.#steps.carried(carry);
    await this.#rank(this.settings);
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
    this.#shown ??= snapshotOf(this.data, this.#ranking, this.#rankedBy);
    return this.#shown;
  }

  /** What is set, also while it is not ranked by yet: what is set next is set beside it. */
  get settings(): Settings {
    return this.#steps.now;
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
    return !isNothing(this.settings);
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
    return weightIn(this.data, this.settings, id, inCase);
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

  /**
   * Has all that is shown made and drawn once more, by what is ranked. What a page does for the first time takes several
   * times as long, which a weight that is moved should not have to wait for. Costs what a weight that is moved does.
   */
  rehearse(): void {
    this.#shown = undefined;
    this.#tell();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Applies settings, as one step that can be undone. */
  set(settings: Settings): Promise<void> {
    this.#steps.set(settings);
    return this.#apply();
  }

  /** Applies settings while something is dragged: a step of its own only when it is dropped. */
  preview(settings: Settings): Promise<void> {
    this.#steps.drag(settings);
    return this.#apply();
  }

  async undo(): Promise<void> {
    if (this.#steps.undo()) await this.#apply();
  }

  async redo(): Promise<void> {
    if (this.#steps.redo()) await this.#apply();
  }

  /** Compares from now on with what is shown, or with what was kept. */
  pin(kept: Kept = this.#keep('pinned', 'Baseline')): void {
    this.#baseline = kept.snapshot;
    this.#changes += 1;
    this.#tell();
  }

  /** Keeps what is shown, under a name. */
  keep(name: string): void {
    this.#keep('named', name);
    this.#changes += 1;
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
    const settings = inFull(this.data, this.#rankedBy);
    return this.history.add({
      name,
      for: keptFor,
      snapshot: this.shown,
      settings,
      ...(file && { version: file.version }),
    });
  }

  /** Ranks by what is set, after what was before; what is overtaken meanwhile is never ranked. */
  async #apply(): Promise<void> {
    const { settings } = this;
    this.#changes += 1;
    try {
      await this.#work.do(() => this.#rank(settings));
    } catch (error) {
      this.#steps.failed(settings, this.#rankedBy);
      this.#changes += 1;
      throw error;
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  async #rank(settings: Settings): Promise<void> {
    this.#ranking = await this.ranker.rank(settings);
    this.#rankedBy = settings;
    this.#shown = undefined;
  }
}

/** Whether the user chose a baseline, rather than the page when it opened or saved. */
const isChosen = (kept: Kept | undefined): boolean =>
  kept !== undefined && kept.for !== 'opened' && kept.for !== 'saved' && kept.for !== 'reloaded';

/**
 * Makes something of what may change while it is made: again, until nothing does.
 *
 * @param changes how often it has changed
 */
export async function untilStill<T>(changes: () => number, make: () => Promise<T>): Promise<T> {
  for (;;) {
    const before = changes();
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    const made = await make();
    if (changes() === before) return made;
  }
}
