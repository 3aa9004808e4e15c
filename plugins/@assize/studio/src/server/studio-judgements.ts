import { basename, dirname, resolve } from 'node:path';
import type { GradeReply, GradesState, NewGrade } from '../data/given-grades.js';
import { type Grades, ONLY_QUERY, readGradeLines, withGradeLine } from '../save/grade-lines.js';
import { type ChosenPair, readPairLines, withPairLine } from '../save/pair-lines.js';
import { NotSavedError } from '../save/save-file.js';
import { JudgementFile } from './judgement-file.js';
import { NamedItems } from './named-items.js';
import type { StudioQuery, StudioSource } from './ranked-profile.js';

/** The file has another grade than the page shows. */
class GradeConflictError extends NotSavedError {}

/** An answer about two candidates of a query, by position. */
export interface PairAnswer {
  readonly a: number;
  readonly b: number;
  readonly choice: ChosenPair['winner'];
}

/** The grades and the choices that people make in a studio. Each is written to its file at once. */
export class StudioJudgements {
  readonly #items: NamedItems;
  readonly #grades: JudgementFile<Grades>;
  readonly #pairs: JudgementFile<readonly ChosenPair[]>;
  #last: Promise<unknown> = Promise.resolve();

  /** @param id the path to the id in a candidate */
  constructor(
    private readonly queries: readonly StudioQuery[],
    { profile, gradesFile, answersFile }: StudioSource,
    file: string | undefined,
    id: string,
  ) {
    this.#items = new NamedItems(queries, id);
    // Next to the profile's file; for a preset, in the current folder.
    const beside = resolve(file ?? basename(profile)).replace(/\.(?:ya?ml|json)$/i, '');
    this.#grades = new JudgementFile(resolve(gradesFile ?? `${beside}.grades.jsonl`), readGradeLines);
    this.#pairs = new JudgementFile(resolve(answersFile ?? `${beside}.answers.jsonl`), readPairLines);
  }

  /** The folders to watch. */
  get folders(): readonly string[] {
    return [dirname(this.#grades.path)];
  }

  get version(): string | undefined {
    return this.#grades.version;
  }

  get answersFile(): string {
    return this.#pairs.name;
  }

  /** The grades as their file has them now. */
  async grades(): Promise<GradesState> {
    await this.#grades.look();
    return this.#state;
  }

  /**
   * Writes one grade, unless the file has another grade than the page shows: then the reply says so.
   *
   * @throws NotSavedError if it cannot be written
   */
  grade({ query, position, grade, was }: NewGrade): Promise<GradeReply> {
    return this.#inTurn(async () => {
      this.checkNames();
      const id = this.#items.name({ query, position });
      if (id === undefined) throw new NotSavedError(`query ${query} has no item at position ${position}`);
      const base = this.queries[query]?.grades?.[position];
      const { name } = this.#grades;
      try {
        await this.#grades.change((text) => {
          const [written, given] = this.#written(readGradeLines(text, name), query, id);
          const now = given === undefined ? (base ?? null) : given;
          if (now !== was && now !== grade) throw new GradeConflictError(conflictText(id, now, name));
          const isRemoved = grade === null && base === undefined;
          return withGradeLine(text, name, { query: written, id, grade: isRemoved ? undefined : grade });
        });
      } catch (error) {
        if (!(error instanceof GradeConflictError)) throw error;
        await this.#grades.look();
        return { ...this.#state, conflict: error.message };
      }
      return this.#state;
    });
  }

  /** The queries with the grades that people gave; without grades if they have none. */
  async judged(): Promise<readonly StudioQuery[]> {
    const { given } = await this.grades();
    return this.queries.map((query, number) => {
      const own = given.filter(([of]) => of === number);
      if (own.length === 0) return query;
      const grades = query.candidates.map((_, k) => query.grades?.[k]);
      for (const [, position, grade] of own) grades[position] = grade ?? undefined;
      return { ...query, grades };
    });
  }

  /** The choices between candidates of a query, in the order of the file. Choices about other candidates are skipped. */
  async answers(query: number): Promise<readonly PairAnswer[]> {
    await this.#pairs.look();
    if (this.#pairs.problem !== undefined) throw new NotSavedError(this.#pairs.problem);
    return this.#pairs.content.flatMap((pair) => {
      if (this.#items.queryOf(pair.query) !== query) return [];
      const [a, b] = [this.#items.position(query, pair.a), this.#items.position(query, pair.b)];
      return a === undefined || b === undefined || a === b ? [] : [{ a, b, choice: pair.winner }];
    });
  }

  /** @throws NotSavedError if the answer cannot be written */
  addAnswer(query: number, { a, b, choice }: PairAnswer): Promise<void> {
    return this.#inTurn(async () => {
      this.checkNames();
      const name = (position: number): string => this.#items.name({ query, position }) ?? `@${position}`;
      const line = {
        ...(!this.#items.isOneList && { query: this.#items.queryName(query) }),
        a: name(a),
        b: name(b),
        winner: choice,
      };
      await this.#pairs.change((text) => withPairLine(text, line));
    });
  }

  /** @throws NotSavedError if files cannot name the candidates */
  checkNames(): void {
    if (this.#items.problem !== undefined) throw new NotSavedError(this.#items.problem);
  }

  /** The grade of an item in a file, and the name of its query there. */
  #written(grades: Grades, query: number, id: string): readonly [query: string, grade: number | null | undefined] {
    const own = this.#items.queryName(query);
    // The only list may have another name in the file.
    const named = this.#items.isOneList && !grades.has(own) && grades.size === 1 ? [...grades.keys()][0]! : own;
    return [named, grades.get(named)?.get(id)];
  }

  get #state(): GradesState {
    const { name, version, content } = this.#grades;
    const problem = this.#items.problem ?? this.#grades.problem;
    const given = [...content].flatMap(([named, ofQuery]) => {
      const query = this.#items.isOneList ? this.#onlyQuery(content, named) : this.#items.queryOf(named);
      if (query === undefined) return [];
      return [...ofQuery].flatMap(([id, grade]) => {
        const position = this.#items.position(query, id);
        return position === undefined ? [] : [[query, position, grade] as const];
      });
    });
    return {
      file: name,
      ...(version !== undefined && { version }),
      ...(problem !== undefined && { problem }),
      given,
    };
  }

  /** As in `assize evaluate`: the only list has the grades of its name, or those of the only query of the file. */
  #onlyQuery(grades: Grades, named: string): 0 | undefined {
    return named === this.#items.queryName(0) || (named !== ONLY_QUERY && grades.size === 1) ? 0 : undefined;
  }

  /** Writes one after another. */
  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}

function conflictText(id: string, now: number | null, file: string): string {
  const graded = now === null ? `the grade of ${id} was removed` : `${id} was graded ${now}`;
  return `${graded} in ${file} meanwhile`;
}
