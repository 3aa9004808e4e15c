import { refusedCounts, type Ranking, type TopCounts } from '../../../ranking/index.js';
import type { Degraded } from '../../../engine/index.js';
import { type ProblemData, problemData } from './problem-data.js';

/** One of the selected. Numbers have six digits: a model reads each. */
export interface SelectedData {
  readonly rank?: number;
  readonly id: string;
  /** Its position in the candidates of the call; −1 for what a fallback has made. */
  readonly index: number;
  readonly score?: number;
  /** The score of each scorer; null where it has none. */
  readonly scores?: Readonly<Record<string, number | null>>;
  readonly because?: string;
  readonly cost?: number;
}

/** How many one entry refused, with the first of them. */
interface RefusedData {
  readonly by: string;
  readonly kind: string;
  readonly count: number;
  readonly example: string;
  readonly reason: string;
}

/** A ranking as an agent has use for it. */
export interface RankingData {
  readonly profile: string;
  /** The names for people of the entries that have one, by id: an agent says those, and sends ids. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly counts: TopCounts;
  readonly selected: readonly SelectedData[];
  /** How many of the selected are not listed. */
  readonly more?: number;
  readonly refused: readonly RefusedData[];
  readonly budget?: unknown;
  readonly report?: Readonly<Record<string, unknown>>;
  readonly degraded?: readonly Degraded[];
  readonly warnings?: readonly ProblemData[];
}

/** @param rows how many of the selected are listed */
export function rankingData(ranking: Ranking<unknown>, rows: number): RankingData {
  const { labels, selected, degraded, warnings, budget, report } = ranking;
  const listed = selected.slice(0, rows);
  return {
    profile: ranking.profile,
    ...(labels && { labels }),
    counts: ranking.counts,
    selected: listed.map(({ rank, id, index, score, because, cost }) => ({
      ...(rank !== undefined && { rank }),
      id,
      index,
      ...(score !== undefined && { score: sixDigits(score) }),
      ...scoresOf(ranking, index),
      ...(because && { because }),
      ...(cost !== undefined && { cost }),
    })),
    ...(selected.length > rows && { more: selected.length - rows }),
    refused: refusedCounts(ranking.refused).map(({ by, kind, count, examples: [first] }) => {
      return { by, kind, count, example: first?.id ?? '', reason: first?.reason ?? '' };
    }),
    ...(budget && { budget }),
    ...(report.size > 0 && { report: Object.fromEntries(report) }),
    ...(degraded.length > 0 && { degraded }),
    ...(warnings.length > 0 && { warnings: warnings.map((warning) => problemData(warning)) }),
  };
}

function scoresOf(ranking: Ranking<unknown>, index: number): Pick<SelectedData, 'scores'> {
  const scores = index < 0 ? undefined : ranking.terms({ index })?.scores;
  if (!scores) return {};
  return {
    scores: Object.fromEntries(
      Object.entries(scores).map(([id, score]) => [id, typeof score === 'number' ? sixDigits(score) : null]),
    ),
  };
}

const sixDigits = (number: number): number => Number(number.toPrecision(6));
