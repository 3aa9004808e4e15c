import { NOTHING_SET, type Settings } from './settings.js';
import { isSameSettings } from './unsaved.js';

let lastStep = 0;

/** The number of a new step. Steps of settings and of grades share the numbers, so that they are undone in their order. */
export const nextStep = (): number => (lastStep += 1);

/** More steps cannot be undone, so that the memory of a page does not grow while it is used. */
export const MOST_STEPS = 500;

/** Settings to go to, and the number of the step. */
interface Step {
  readonly to: Settings;
  readonly at: number;
}

/** What is set, the steps that led there and can be taken back, and those that were. */
export class SettingSteps {
  #past: Step[] = [];
  #future: Step[] = [];
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

  /** The number of the next step to undo; 0 if undo has nothing to do. */
  get undoAt(): number {
    return this.#past.findLast(this.#differs)?.at ?? 0;
  }

  /** The number of the next step to redo; 0 if redo has nothing to do. */
  get redoAt(): number {
    return this.#future.findLast(this.#differs)?.at ?? 0;
  }

  /** A step, where it changes anything: what was taken back before is gone. */
  set(settings: Settings): void {
    if (!isSameSettings(settings, this.#dropped)) {
      this.#past.push({ to: this.#dropped, at: nextStep() });
      if (this.#past.length > MOST_STEPS) this.#past.shift();
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
    const carryStep = ({ to, at }: Step): Step => ({ to: carry(to), at });
    carried.#past = withoutSame(this.#past.map(carryStep), carried.#dropped);
    carried.#future = withoutSame(this.#future.map(carryStep), carried.#dropped);
    return carried;
  }

  /** A step that failed changed nothing: it is neither taken back nor taken again. */
  readonly #differs = ({ to }: Step): boolean => to !== this.#dropped;

  #drop(settings: Settings): void {
    this.#dropped = settings;
    this.#now = settings;
  }

  #go(from: Step[], to: Step[]): Settings | undefined {
    let next = from.pop();
    while (next && !this.#differs(next)) next = from.pop();
    if (next === undefined) return undefined;
    to.push({ to: this.#dropped, at: next.at });
    this.#drop(next.to);
    return next.to;
  }
}

/** Without what is the same as what is gone to from it. */
function withoutSame(steps: readonly Step[], last: Settings): Step[] {
  let next = last;
  const kept = steps.toReversed().filter((step) => {
    const differs = !isSameSettings(step.to, next);
    if (differs) next = step.to;
    return differs;
  });
  return kept.toReversed();
}
