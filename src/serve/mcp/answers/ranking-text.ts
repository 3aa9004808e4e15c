import type { RankingData, SelectedData } from './ranking-data.js';

/** A ranking as a model reads it: a line for each of the selected, and for each reason that others are missing. */
export function rankingText({ profile, counts, selected, more, refused, ...rest }: RankingData): string {
  const { given, selected: chosen, leftOut, refused: refusals } = counts;
  const lines = [
    `${profile}: ${given} candidates, ${chosen} selected, ${leftOut} left out, ${refusals} refused`,
    ...selected.map(rowText),
    ...(more === undefined ? [] : [`… and ${more} more`]),
    ...refused.map(
      ({ by, kind, count, example, reason }) => `refused ${count} by ${by} (${kind}): ${example}: ${reason}`,
    ),
    ...(rest.degraded ?? []).map(({ entry, stage, cause, count, instead }) => {
      return `failed: ${entry} (${stage}), ${count} times, ${instead} instead: ${cause}`;
    }),
    ...(rest.warnings ?? []).map(
      ({ code, message, hint }) => `warning ${code}: ${[message, hint].filter(Boolean).join('; ')}`,
    ),
  ];
  return lines.join('\n');
}

function rowText({ rank, id, score, scores, because, cost }: SelectedData): string {
  const terms = Object.entries(scores ?? {}).map(([scorer, value]) => `${scorer} ${value ?? '–'}`);
  const place = rank === undefined ? '–' : `${rank}.`;
  const notes = [...(because ? [because] : []), ...(cost === undefined ? [] : [`cost ${cost}`]), ...terms];
  return [
    place,
    id,
    ...(score === undefined ? [] : [score]),
    ...(notes.length > 0 ? [`(${notes.join(', ')})`] : []),
  ].join(' ');
}
