import type { Context } from 'assize';
import { compilePath } from 'assize/internal';
import type { JudgedQuery } from '../judged-query.js';
import { type Random, seededRandom } from '../significance/distributions.js';
import type { Judge } from './open-judges.js';

/** A candidate with its text, and the grades that people gave. */
export interface TextUnit {
  readonly group: string;
  readonly candidate: object;
  readonly context: Context | undefined;
  readonly text: string;
  readonly query: string | undefined;
  /** The grade of the data set, by which the judge is measured. */
  readonly human: number | undefined;
  /** That grade and those of further people. */
  readonly people: readonly (number | undefined)[];
}

/** Two candidates of one query with different texts. */
export interface PairUnit {
  readonly group: string;
  readonly a: TextUnit;
  readonly b: TextUnit;
}

/** Reads the texts of all candidates. Calls no model. */
export async function readTexts(
  judge: Judge,
  queries: readonly JudgedQuery<object>[],
  raters: readonly string[],
): Promise<{ readonly byQuery: readonly (readonly TextUnit[])[]; readonly withoutText: number }> {
  const paths = raters.map((path) => compilePath(path));
  const grouped = queries.length > 1;
  const byQuery: TextUnit[][] = [];
  let withoutText = 0;
  for (const { id, group, context, candidates, grades, candidateGroups } of queries) {
    const units: TextUnit[] = [];
    byQuery.push(units);
    for (const [k, candidate] of candidates.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- a judge reads one text at a time
      const read = await judge.textOf(candidate, context);
      if (read === undefined) withoutText += 1;
      else {
        const human = grades[k];
        units.push({
          group: grouped ? (group ?? id) : (candidateGroups?.[k] ?? String(k)),
          candidate,
          context,
          ...read,
          human,
          people: [human, ...paths.map((path) => gradeOf(path(candidate)))],
        });
      }
    }
  }
  return { byQuery, withoutText };
}

/** A grade of a further person: a number, true or false. */
function gradeOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/**
 * The pairs of each query: every candidate meets about `rounds` others, chosen at random. Candidates with equal texts are not
 * compared.
 */
export function pairUnits(
  byQuery: readonly (readonly TextUnit[])[],
  rounds: number,
  seed: number,
): readonly PairUnit[] {
  const random = seededRandom(seed);
  return byQuery.flatMap((units) => {
    const order = shuffled(units, random);
    const seen = new Set<number>();
    const pairs: PairUnit[] = [];
    for (let step = 1; step <= Math.ceil(Math.min(rounds, order.length - 1) / 2); step++) {
      for (const [k, a] of order.entries()) {
        const other = (k + step) % order.length;
        const key = Math.min(k, other) * order.length + Math.max(k, other);
        const b = order[other]!;
        if (seen.has(key) || a.text === b.text) continue;
        seen.add(key);
        pairs.push({ group: byQuery.length > 1 ? a.group : String(pairs.length), a, b });
      }
    }
    return pairs;
  });
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const order = [...items];
  for (let k = order.length - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [order[k], order[other]] = [order[other]!, order[k]!];
  }
  return order;
}

/** A sentence that adds nothing to any text. */
const NEUTRAL_SENTENCE =
  'This is the end of the text, and this sentence only says that nothing follows and that nothing was added.';

/** A text with a neutral sentence after it. */
export const lengthened = (text: string): string => `${text}\n${NEUTRAL_SENTENCE}`;
