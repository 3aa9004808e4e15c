import type { Placed, Ranking } from 'assize/browser';
import type { ShownRanking, ShownRow, Term } from '../protocol.js';

/** The page shows the first rows of each list. */
const MOST_SELECTED = 100;
const MOST_OTHERS = 50;

/** The part of a ranking that the page shows. */
export function shownRanking(ranking: Ranking<object>, took: number): ShownRanking {
  const { counts, labels } = ranking;
  const selected = ranking.selected.slice(0, MOST_SELECTED).map((row): ShownRow => {
    const { because, moved, note } = row;
    const text = [because, moved && `moved by ${moved}`, note?.text].filter(Boolean).join('; ');
    return { ...shownRow(ranking, row), score: row.score, rank: row.rank, text: text === '' ? undefined : text };
  });
  const notSelected = first(ranking.each('notSelected'), MOST_OTHERS).map((row): ShownRow => {
    return { ...shownRow(ranking, row), score: row.score, rank: row.rank, text: row.text };
  });
  const refused = first(ranking.each('refused'), MOST_OTHERS).map((row): ShownRow => {
    const text = row.all.map(({ by, reason }) => `${by}: ${reason}`).join('; ');
    return { index: row.index, name: row.id, score: undefined, rank: undefined, terms: [], text };
  });
  const ids = selected[0]?.terms.map(({ scorer }) => scorer) ?? [];
  const { given, selected: chosen, notSelected: left, refused: out } = counts;
  return {
    counts: { given, selected: chosen, notSelected: left, refused: out },
    scorers: ids.map((id) => ({ id, name: labels?.[id] ?? id })),
    selected,
    notSelected,
    refused,
    took,
  };
}

function shownRow(
  ranking: Ranking<object>,
  row: Placed<object> & { readonly score: number | undefined },
): Pick<ShownRow, 'index' | 'name' | 'terms'> {
  return { index: row.index, name: row.id, terms: row.score === undefined ? [] : termsOf(ranking, row.index) };
}

function termsOf(ranking: Ranking<object>, index: number): readonly Term[] {
  const { scores = {}, contributions } = ranking.terms({ index }) ?? {};
  return Object.entries(scores).map(([scorer, score]) => {
    const contribution = contributions?.[scorer];
    return { scorer, score, ...(typeof contribution === 'number' && { contribution }) };
  });
}

/** The first items of an iterable, which may be long. */
function first<T>(items: Iterable<T>, most: number): T[] {
  const found: T[] = [];
  if (most === 0) return found;
  for (const item of items) {
    found.push(item);
    if (found.length === most) break;
  }
  return found;
}
