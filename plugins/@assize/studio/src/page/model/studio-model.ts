import type { Ranking } from 'assize/browser';
import type { StudioData } from '../../data/studio-data.js';
import type { FileEdit } from '../../save/data-edit.js';
import { carriedTo, type FileChange, keptCarriedTo } from '../settings/carried.js';
import { SettingSteps } from '../settings/setting-steps.js';
import { isNothing, NOTHING_SET, type Settings } from '../settings/settings.js';
import { inFull, unsaved } from '../settings/unsaved.js';
import { weighedScorers, type WeighedScorer, weightIn } from '../settings/weighed-scorers.js';
import { History, type Kept, type KeptFor, type NamedState } from './history.js';
import { NewestWork } from './newest-work.js';
import { type Judgements, type Quality, qualityOf } from './quality.js';
import { type AskServer, hasServer, type Ranker } from './ranker.js';
import { Drafts } from './drafts.js';
import { type Snapshot, snapshotOf, snapshotOfOther } from './snapshot.js';
import { messageOf } from '../parts/message-of.js';

/** Milliseconds without a change before the server ranks what the page has ranked with other roundings. */
const QUIET_MS = 500;
/** With more candidates, ranking by classes would stop the page for longer than a person notices. */
const MOST_REHEARSED = 50_000;

/** What the page of a studio shows: a ranking, the settings that it is by, and what it is compared with. */
export class StudioModel {
  #ranking!: Ranking<object>;
  /** Ranks by the draft that the structural edits make of the file. */
  #ranker: Ranker;
  /** What the ranking is by. */
  #rankedBy: Settings = NOTHING_SET;
  #shown: Snapshot | undefined;
  #lost: string | undefined;
  #typed: string | undefined;
  #steps = new SettingSteps();
  #baseline!: Snapshot;
  /** How often anything was set or kept. */
  #changes = 0;
  #judgements: Judgements;
  #data: StudioData | undefined;
  #qualities = new WeakMap<Snapshot, Quality>();
  /** The timer of `#rankExactly`. */
  #final: ReturnType<typeof setTimeout> | undefined;
  readonly #work = new NewestWork(() => this.#tell());
  readonly #listeners = new Set<() => void>();
  readonly #changeCount = (): number => this.#changes;

  private constructor(
    private readonly drafts: Drafts,
    readonly history: History,
  ) {
    this.#ranker = drafts.saved;
    const { grades, missing } = drafts.saved.data;
    this.#judgements = { ...(grades && { grades }), ...(missing && { missing }) };
  }

  /** @throws AssizeError where the profile does not rank */
  static async open(data: StudioData, settings: Settings = NOTHING_SET, ask?: AskServer): Promise<StudioModel> {
    const model = new StudioModel(await Drafts.open(data, ask), new History());
    await model.#rank(NOTHING_SET);
    model.#baseline = model.shown;
    model.#keepOthers();
    model.#keep('opened', 'As opened');
    const rehearsed = await model.ranker.warmUp();
    if (rehearsed) snapshotOf(data, rehearsed, NOTHING_SET);
    if (settings !== NOTHING_SET) await model.setFull(settings);
    return model;
  }

  /**
   * The same candidates by the files as they are now: with what is set and not saved, the steps back, what is kept, and
   * the baseline.
   *
   * @param keptFor what the ranking by the profile's own file is kept for; not kept where only others have changed
   * @param saved the settings that were saved, if they were
   */
  async reloaded(
    data: StudioData,
    keptFor: 'saved' | 'reloaded' | undefined,
    saved: Settings = this.settings,
  ): Promise<StudioModel> {
    const drafts = await Drafts.open(data, this.drafts.ask);
    return untilStill(this.#changeCount, async () => {
      // The file has the saved settings now, so earlier states differ from it and become settings.
      const change: FileChange = {
        draft: this.data,
        text: this.saved.editing?.text,
        data,
        saved: keptFor === 'saved' ? saved : undefined,
      };
      const history = await this.history.mapped(async ({ name, settings, snapshot }) => {
        if (settings) return { snapshot, settings: keptCarriedTo(change, settings) };
        const other = snapshotOfOther(data, name);
        return other && { snapshot: other };
      });
      const model = new StudioModel(drafts, history);
      await model.#rank(NOTHING_SET);
      if (keptFor) model.#keep(keptFor, keptFor === 'saved' ? 'Saved' : 'Changed on disk');
      model.#takeBaseline(this);
      // A baseline that the user did not choose is the file: after a save, the saved one.
      if (keptFor === 'saved' && !isChosen(this.baselineKept)) model.#baseline = model.shown;
      await model.#takeSteps(this, (step) => carriedTo(change, step));
      return model;
    });
  }

  /** The same page about other candidates: what is set, the steps back, and what is kept. */
  async about(data: StudioData, ask: AskServer | undefined): Promise<StudioModel> {
    const drafts = await Drafts.open(data, ask);
    return untilStill(this.#changeCount, async () => {
      const history = await this.history.mapped(async ({ name, settings }) => {
        const snapshot = settings ? await snapshotBy(drafts, settings) : snapshotOfOther(data, name);
        return snapshot && { snapshot };
      });
      const model = new StudioModel(drafts, history);
      await model.#takeSteps(this, (step) => step);
      model.#takeBaseline(this);
      return model;
    });
  }

  /** Ranks by what is set in another model of this page, with its steps back. */
  async #takeSteps(other: StudioModel, carry: (step: Settings) => Settings): Promise<void> {
    this.#steps = other.#steps.carried(carry);
    this.#typed = other.#typed;
    try {
      await this.#rank(this.settings);
    } catch (error) {
      // The file has changed so that the edits no longer apply.
      if (this.settings.edits.length === 0) throw error;
      this.#steps = new SettingSteps();
      this.#lost = messageOf(error);
      await this.#rank(NOTHING_SET);
    }
  }

  /** Why the settings of the model before this one were dropped; undefined if they were not. */
  get lost(): string | undefined {
    return this.#lost;
  }

  /** A text of the file that a person typed and that does not rank yet; undefined without one. */
  get typed(): string | undefined {
    return this.#typed;
  }

  /** Keeps a typed text until it ranks; undefined drops it. */
  keepTyped(text: string | undefined): void {
    if (text === this.#typed) return;
    this.#typed = text;
    this.#changes += 1;
    this.#tell();
  }

  /** Compares with what another model of this page compares with. */
  #takeBaseline({ baselineKept }: StudioModel): void {
    this.#baseline = this.history.kept.find(({ key }) => key === baselineKept?.key)?.snapshot ?? this.shown;
  }

  get ranking(): Ranking<object> {
    return this.#ranking;
  }

  /** The profile with the structural edits that are set, its scores and the candidates. */
  get data(): StudioData {
    const { data } = this.#ranker;
    const { grades } = this.#judgements;
    if (data.grades === grades || !grades) return data;
    if (this.#data?.scores !== data.scores || this.#data.grades !== grades) this.#data = { ...data, grades };
    return this.#data;
  }

  /** Takes the grades of the candidates as they are now. */
  regrade(grades: StudioData['grades']): void {
    if (grades === this.#judgements.grades) return;
    this.#judgements = { ...this.#judgements, ...(grades && { grades }) };
    this.#qualities = new WeakMap();
    this.#tell();
  }

  /** How good an order is by the grades, by measure; empty without grades. */
  qualityOf(snapshot: Snapshot): Quality {
    const quality = this.#qualities.get(snapshot) ?? qualityOf(snapshot.ordered, this.#judgements);
    this.#qualities.set(snapshot, quality);
    return quality;
  }

  /** The same of the profile in the file. */
  get saved(): StudioData {
    return this.drafts.saved.data;
  }

  get ranker(): Ranker {
    return this.#ranker;
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

  /** The settings, without those of a drag or an open dialog. */
  get settled(): Settings {
    return this.#steps.settled;
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
    return hasServer(this.drafts.ask);
  }

  /** The settings, and the lists of edits that the server is asked about to rank any query by them. */
  get exported(): { readonly settings: Settings; readonly asked: readonly (readonly FileEdit[])[] } {
    const settings = unsaved(this.data, this.settled); // in the order in which a page opens them
    const { edits } = settings;
    // In another query an entry that is switched off may have refused candidates.
    const refusers = this.data.queries ? [undefined, new Set<string>(), new Set(settings.off)] : [undefined];
    const remote = refusers.map((some) => this.#ranker.remoteEdits(settings, some));
    const asked = [edits, ...remote.filter((some) => some.length > 0).map((some) => [...edits, ...some])];
    const unique = new Map(asked.map((some) => [JSON.stringify(some), some]));
    return { settings, asked: [...unique.values()].filter((some) => some.length > 0) };
  }

  /**
   * Has all that is shown made and drawn once more, by what is ranked. What a page does for the first time takes several
   * times as long, which a weight that is moved should not have to wait for. Costs what a weight that is moved does.
   */
  rehearse(): void {
    this.#ranker.warmUp(this.#rankedBy).catch(() => {}); // a problem shows when something is set
    const { controls, curves, candidates } = this.data;
    const hasParams = Object.keys(controls).length + Object.keys(curves).length > 0;
    if (hasParams && candidates.length <= MOST_REHEARSED) void this.#ranker.prepareClasses();
    this.#shown = undefined;
    this.#tell();
  }

  /** The numbers of the next steps to undo and to redo; 0 without such a step. */
  get stepNumbers(): { readonly undoAt: number; readonly redoAt: number } {
    return this.#steps;
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

  /** Drops a preview, and ranks by the settings again. */
  async cancel(): Promise<void> {
    if (this.settings !== this.settled) await this.preview(this.settled);
  }

  /** Applies settings that may be those of another version of the file, or in full: what the profile has of them. */
  async setFull(settings: Settings): Promise<void> {
    const { data } = await this.drafts.of(settings.edits);
    await this.set(unsaved(data, settings));
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

  /** Adds states that were named before the page was opened. A state that no longer ranks is skipped. */
  async addNamed(states: readonly NamedState[]): Promise<void> {
    for (const { name, at, settings } of states) {
      // oxlint-disable-next-line no-await-in-loop -- one page ranks one after another
      const snapshot = await snapshotBy(this.drafts, settings).catch(() => undefined);
      if (snapshot) this.history.add({ name, for: 'named', snapshot, settings }, at);
    }
    this.#changes += 1;
    this.#tell();
  }

  /** Sets what was set or written when something was kept, as a step that can be undone. */
  async goBackTo({ settings }: Kept): Promise<void> {
    if (settings) await this.setFull(settings);
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

  async #rank(settings: Settings, isFinal = false): Promise<void> {
    clearTimeout(this.#final);
    const ranker = await (isFinal ? this.drafts.exactly(settings.edits) : this.drafts.of(settings.edits));
    this.#ranking = await ranker.rank(settings, isFinal);
    this.#ranker = ranker;
    this.#rankedBy = settings;
    this.#shown = undefined;
    if (!ranker.isExact) this.#final = setTimeout(() => this.#rankExactly(settings), QUIET_MS);
  }

  /** Has the server rank what the page has ranked with other roundings, unless anything was set since. */
  #rankExactly(settings: Settings): void {
    if (settings !== this.settings) return;
    // Without the server, the ranking of the page stays.
    this.#work.do(() => this.#rank(settings, true)).catch(() => {});
  }
}

/** The order of kept settings; undefined if the draft that they make is not valid. */
async function snapshotBy(drafts: Drafts, full: Settings): Promise<Snapshot | undefined> {
  const ranker = await drafts.of(full.edits).catch(() => undefined);
  if (!ranker) return undefined;
  const settings = unsaved(ranker.data, full);
  return snapshotOf(ranker.data, await ranker.rank(settings), settings);
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
