import type { Problem, Ranking } from 'assize';

/** A variable that the context lacks is worth a warning even if only some queries lack it. */
const OF_ANY_QUERY = 'ASZ723';

/** A field that few candidates have may be absent in many queries. If it is absent in all, it is probably misspelt. */
const OF_ALL_QUERIES: readonly string[] = ['ASZ712', 'ASZ724'];

/** Collects the warnings of runs that probably explain low measures: what the profile reads and the queries lack. */
export class QueryWarnings {
  readonly #found = new Map<string, { readonly problem: Problem; count: number }>();
  #queries = 0;

  add({ warnings }: Pick<Ranking<unknown>, 'warnings'>): void {
    this.#queries += 1;
    for (const problem of warnings) {
      if (problem.code !== OF_ANY_QUERY && !OF_ALL_QUERIES.includes(problem.code)) continue;
      const known = this.#found.get(problem.message);
      if (known) known.count += 1;
      else this.#found.set(problem.message, { problem, count: 1 });
    }
  }

  /** One warning per message. It counts the queries if it is not about all of them. */
  list(): readonly Problem[] {
    const all = this.#queries;
    return [...this.#found.values()].flatMap(({ problem, count }) => {
      if (count === all) return [problem];
      if (problem.code !== OF_ANY_QUERY) return [];
      return [{ ...problem, message: `${problem.message} (in ${count} of ${all} queries)` }];
    });
  }
}

/** The warnings of one profile's rankings of all queries. */
export function queryWarnings(rankings: Iterable<Pick<Ranking<unknown>, 'warnings'>>): readonly Problem[] {
  const found = new QueryWarnings();
  for (const ranking of rankings) found.add(ranking);
  return found.list();
}
