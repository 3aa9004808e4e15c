import { NOTHING_SET, type Settings } from './settings.js';
import { isSameSettings } from './unsaved.js';

/** What is set, the steps that led there and can be taken back, and those that were. */
export class SettingSteps {
  #past: Settings[] = [];
  #future: Settings[] = [];
  /** The last settings, without those of a drag. */
  #dropped = NOTHING_SET;
  #now = NOTHING_SET;

  /** What is set, also while it is being dragged. */
  get now(): Settings {
    return this.#now;
  }

  /** The last settings, without those of a drag. */
  get settled(): Settings {
    return this.#dropped;
  }

  get canUndo(): boolean {
    return this.#past.some(this.#differs);
  }

  get canRedo(): boolean {
    return this.#future.some(this.#differs);
  }

  /** A step, where it changes anything: what was taken back before is gone. */
  set(settings: Settings): void {
    if (!isSameSettings(settings, this.#dropped)) {
      this.#past.push(this.#dropped);
      this.#future = [];
    }
    this.#drop(settings);
  }

  /** No step until it is set. */
  drag(settings: Settings): void {
    this.#now = settings;
  }

  /** Takes the last step back: what is set then; undefined where there was none. */
  undo(): Settings | undefined {
    return this.#go(this.#past, this.#future);
  }

  /** Takes again what was taken back last; undefined where nothing was. */
  redo(): Settings | undefined {
    return this.#go(this.#future, this.#past);
  }

  /** What cannot be set is not, unless something else is by now: then what was before is. */
  failed(settings: Settings, before: Settings): void {
    if (this.#dropped === settings) this.#dropped = before;
    if (this.#now === settings) this.#now = before;
  }

  /** The same steps, each as it is beside another profile; without those that change nothing there. */
  carried(carry: (step: Settings) => Settings): SettingSteps {
    const carried = new SettingSteps();
    carried.#drop(carry(this.#dropped));
    if (this.#now !== this.#dropped) carried.#now = carry(this.#now);
    carried.#past = withoutSame(this.#past.map(carry), carried.#dropped);
    carried.#future = withoutSame(this.#future.map(carry), carried.#dropped);
    return carried;
  }

  /** A step that failed changed nothing: it is neither taken back nor taken again. */
  readonly #differs = (step: Settings): boolean => step !== this.#dropped;

  #drop(settings: Settings): void {
    this.#dropped = settings;
    this.#now = settings;
  }

  #go(from: Settings[], to: Settings[]): Settings | undefined {
    let next = from.pop();
    while (next && !this.#differs(next)) next = from.pop();
    if (next === undefined) return undefined;
    to.push(this.#dropped);
    this.#drop(next);
    return next;
  }
}

/** Without what is the same as what is gone to from it. */
function withoutSame(steps: readonly Settings[], last: Settings): Settings[] {
  let next = last;
  const kept = steps.toReversed().filter((step) => {
    const differs = !isSameSettings(step, next);
    if (differs) next = step;
    return differs;
  });
  return kept.toReversed();
}
