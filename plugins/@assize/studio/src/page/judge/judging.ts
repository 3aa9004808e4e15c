import { type GradesState, type NewGrade, withGiven } from '../../data/given-grades.js';
import type { QueryData, StudioData } from '../../data/studio-data.js';
import type { StudioServer } from '../model/server-api.js';
import { nextStep } from '../settings/setting-steps.js';
import { messageOf } from '../parts/message-of.js';

/** A grade that was given, and the one before it. */
interface GradeStep extends NewGrade {
  readonly at: number;
}

/** A grade that was not written, because the file has another one. */
export interface GradeConflict {
  readonly text: string;
  /** Writes the grade of the page. */
  readonly keep: () => void;
  /** Shows the grade of the file. */
  readonly take: () => void;
}

type Grades = QueryData['grades'];
type Base = Pick<QueryData, 'grades' | 'candidates'>;

/** The grades that people give in a page. Each is shown at once, and written to the file by the server. */
export class Judging {
  /** Whether the page is in the mode in which keys grade items. */
  isOn = false;
  #state: GradesState;
  /** The grades of the data, by query, without those that people gave. */
  #base: readonly Base[];
  #hasOthers: boolean | undefined;
  readonly #shown = new Map<number, Grades>();
  #past: readonly GradeStep[] = [];
  #future: readonly GradeStep[] = [];
  #conflict: GradeConflict | undefined;
  #problem: string | undefined;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param changed receives the numbers of the queries whose grades have changed; empty if only the state has */
  constructor(
    data: StudioData & { readonly judging: GradesState },
    private readonly server: StudioServer,
    private readonly changed: (queries: readonly number[]) => void,
  ) {
    this.#state = data.judging;
    this.#base = [data];
  }

  /** Takes the data of all queries. */
  readQueries(queries: readonly QueryData[]): void {
    this.#base = queries;
    this.#hasOthers = undefined;
    this.#shown.clear();
  }

  /** The name of the file. */
  get file(): string {
    return this.#state.file;
  }

  get version(): string | undefined {
    return this.#state.version;
  }

  /** Why items cannot be graded, or why the last grade was not written. */
  get problem(): string | undefined {
    return this.#state.problem ?? this.#problem;
  }

  get canGrade(): boolean {
    return this.#state.problem === undefined;
  }

  get conflict(): GradeConflict | undefined {
    return this.#conflict;
  }

  /** Whether the data has grades, beside those that people gave in the page. */
  get hasOtherGrades(): boolean {
    this.#hasOthers ??= this.#base.some(({ grades }) => grades?.some((grade) => grade !== null) ?? false);
    return this.#hasOthers;
  }

  /** Every grade of the data and of the file. */
  get allGrades(): readonly number[] {
    const all = this.#base.flatMap((_, query) => this.gradesOf(query) ?? []);
    return all.filter((grade) => grade !== null);
  }

  /** The grades of a query as they are now. */
  gradesOf(query: number): Grades {
    if (this.#shown.has(query)) return this.#shown.get(query);
    const base = this.#base[query];
    const grades = base && withGiven(base, this.#state.given, query).grades;
    this.#shown.set(query, grades);
    return grades;
  }

  gradeOf(query: number, position: number): number | null {
    return this.gradesOf(query)?.[position] ?? null;
  }

  /** Grades an item; null removes its grade. */
  grade(query: number, position: number, grade: number | null): void {
    const was = this.gradeOf(query, position);
    if (!this.canGrade || was === grade) return;
    const step = { query, position, grade, was, at: nextStep() };
    this.#past = [...this.#past, step];
    this.#future = [];
    this.#give(step);
  }

  /** The number of the next step to undo; 0 if undo has nothing to do. */
  get undoAt(): number {
    return this.#past.at(-1)?.at ?? 0;
  }

  /** The number of the next step to redo; 0 if redo has nothing to do. */
  get redoAt(): number {
    return this.#future.at(-1)?.at ?? 0;
  }

  undo(): void {
    const step = this.#past.at(-1);
    if (!step) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, step];
    this.#give({ ...step, grade: step.was, was: step.grade });
  }

  redo(): void {
    const step = this.#future.at(-1);
    if (!step) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, step];
    this.#give(step);
  }

  /** Reads the file again if it has another version than the page, unless grades are being written. */
  async follow(version: string | undefined): Promise<void> {
    if (version === this.#state.version || this.#waiting > 0) return;
    const state = await this.server.grades();
    if (this.#waiting === 0) this.#take(state);
  }

  /** Shows a grade, and writes it after those before it. */
  #give({ query, position, grade, was }: NewGrade): void {
    this.#show(query, position, grade);
    this.#conflict = undefined;
    this.#problem = undefined;
    this.changed([query]);
    this.#waiting += 1;
    const write = async (): Promise<void> => {
      try {
        const reply = await this.server.grade({ query, position, grade, was });
        this.#waiting -= 1;
        if (reply.conflict !== undefined) this.#ask(reply.conflict, { query, position, grade, was });
        if (this.#waiting === 0) this.#take(reply);
      } catch (error) {
        this.#waiting -= 1;
        this.#problem = `not saved: ${messageOf(error)}`;
        this.#dropSteps(query, position);
        if (this.#waiting === 0) await this.#readAgain();
        this.changed([]);
      }
    };
    this.#last = this.#last.then(write);
  }

  /** Shows what the file has, after a grade could not be written. */
  async #readAgain(): Promise<void> {
    const state = await this.server.grades().catch(() => this.#state); // the server has ended
    if (this.#waiting === 0) this.#take(state);
  }

  #ask(text: string, { query, position, grade }: NewGrade): void {
    this.#dropSteps(query, position);
    const end = (): void => {
      this.#conflict = undefined;
      this.changed([]);
    };
    const keep = (): void => {
      end();
      this.grade(query, position, grade);
    };
    this.#conflict = { text, keep, take: end };
  }

  /** Steps of an item that another program has graded cannot be taken back. */
  #dropSteps(query: number, position: number): void {
    const isOther = (step: GradeStep): boolean => step.query !== query || step.position !== position;
    this.#past = this.#past.filter(isOther);
    this.#future = this.#future.filter(isOther);
  }

  #show(query: number, position: number, grade: number | null): void {
    const base = this.#base[query];
    if (!base) return;
    const grades = [...(this.gradesOf(query) ?? base.candidates.map(() => null))];
    grades[position] = grade;
    this.#shown.set(query, grades);
  }

  #take(state: GradesState): void {
    this.#state = state;
    const queries = [...this.#base.keys()].filter((query) => {
      const old = this.#shown.get(query);
      if (!this.#shown.has(query)) return true;
      this.#shown.delete(query);
      const isSame = JSON.stringify(old) === JSON.stringify(this.gradesOf(query));
      if (isSame) this.#shown.set(query, old); // the same list, so that nothing is measured again
      return !isSame;
    });
    this.changed(queries);
  }
}
