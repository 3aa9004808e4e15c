import { formatNumber, formatOrdinal, formatSigned, layoutTable, type TableRow } from '../../text/index.js';
import type { CandidateMove, Influence, RankingDiff } from './ranking-diff.js';
import {
  candidateName,
  type CandidateOutcome,
  type ExplanationTextOptions,
  numberText,
  renderOptions,
  titleLines,
} from '../../explain/index.js';

/** How many scorers and rules are named for one candidate. */
const MAX_INFLUENCES = 3;

/** A diff in lines that fit a terminal: a summary, then the candidates that moved, each with its influences. */
export function diffText(diff: RankingDiff, options: ExplanationTextOptions = {}): string {
  const render = renderOptions(options);
  const { before, after, counts, moves } = diff;
  const head = titleLines(`${before.profile} → ${after.profile}: ${summary(counts)}`, render);
  if (moves.length === 0) return `${head.join('\n')}\n`;
  const table = layoutTable(moves.map(moveRow), ['left', 'left', 'left'], ['id', 'rank', 'score', 'why'], render);
  const more = counts.changed - moves.length;
  const rest = more === 0 ? [] : [render.paint('faint', `  and ${more.toLocaleString('en-US')} more`)];
  return `${[...head, '', ...table, ...rest].join('\n')}\n`;
}

function summary({ given, moved, entered, left, refused, admitted, changed }: RankingDiff['counts']): string {
  const of = `${given.toLocaleString('en-US')} candidate${given === 1 ? '' : 's'}`;
  if (changed === 0) return `${of}, and none of them moved`;
  const labelled: readonly (readonly [count: number, label: string])[] = [
    [moved, 'moved'],
    [entered, 'entered the selection'],
    [left, 'left it'],
    [refused, 'newly refused'],
    [admitted, 'no longer refused'],
  ];
  const parts = labelled
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${count.toLocaleString('en-US')} ${label}`);
  return `of ${of}, ${parts.join(', ')}`;
}

function moveRow(move: CandidateMove): TableRow {
  const { before, after, because } = move;
  const scores =
    before.kind === 'ranked' && after.kind === 'ranked' ? [before.score, after.score].map(formatNumber) : [];
  const selection = selectionText(before, after);
  const more = because.length > MAX_INFLUENCES ? [`and ${because.length - MAX_INFLUENCES} more`] : [];
  const reasons = [...because.slice(0, MAX_INFLUENCES).map(influenceText), ...more];
  const refusal = after.kind === 'refused' ? [`${after.by} (${after.refusal}): ${after.reason}`] : [];
  const others = before.kind === 'ranked' && after.kind === 'ranked' && because.length === 0 ? ['others moved'] : [];
  return {
    cells: [
      candidateName(move),
      [...new Set([before, after].map(outcomeLabel))].join(' → '),
      [...new Set(scores)].join(' → '),
    ],
    why: [...refusal, ...(reasons.length === 0 ? others : reasons), ...selection],
  };
}

const outcomeLabel = (outcome: CandidateOutcome): string =>
  outcome.kind === 'ranked' ? formatOrdinal(outcome.rank) : outcome.kind.replace('_', ' ');

function selectionText(before: CandidateOutcome, after: CandidateOutcome): readonly string[] {
  if ((before.selected === undefined) === (after.selected === undefined)) return [];
  if (after.selected !== undefined) return [`selected now${after.selected === 'fallback' ? ' as a fallback' : ''}`];
  const left = 'leftOut' in after ? after.leftOut : undefined;
  return left ? [`left out now: ${left.text}`] : [];
}

/** `popularity +0.2`; where nothing is summed `popularity 0.5 → 0.7`; with `(weight 0.5 → 0.25)`. */
function influenceText({ kind, id, before, after, difference, weight }: Influence): string {
  const name = kind === 'rule' ? `rule ${id}` : id;
  const changed = before === after ? '' : ` ${numberText(before)} → ${numberText(after)}`;
  const change = difference === undefined ? changed : ` ${formatSigned(difference)}`;
  const weighed = weight ? ` (weight ${numberText(weight.before)} → ${numberText(weight.after)})` : '';
  return `${name}${change}${weighed}`;
}
