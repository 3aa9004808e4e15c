import { escapeInvisible, formatNumber, wrapToLines } from '../../text/index.js';
import type { WaysToWin } from '../changes/ways-to-win.js';
import { candidateName, sharedIdLines } from '../candidate-name.js';
import { fieldLines } from './flips-text.js';
import { outcomeText } from './outcome-text.js';
import { type ExplanationTextOptions, joinSections, renderOptions, section } from './sections.js';
import { waysWithLabels } from './with-labels.js';

const WON = { first: 'is first', selected: 'is selected' } as const;
const WINS = { first: 'would be first', selected: 'would be selected' } as const;

/** What would make a candidate win, in lines that fit a terminal: its result now, and the single changes that were found. */
export function waysToWinText(ways: WaysToWin, options: ExplanationTextOptions = {}): string {
  const render = renderOptions(options);
  const shown = waysWithLabels(ways);
  const { profile, goal, first, reached, because, outcome } = shown;
  const name = candidateName(shown);
  const now = goal === 'first' && first !== undefined && !reached ? [`first now: ${first}`] : [];
  const head = section(`${name}: ${outcomeText(outcome)} (${profile})`, [...sharedIdLines(shown), ...now], render);
  const plain = (text: string): readonly string[] => wrapToLines(escapeInvisible(text), render.columns);
  if (reached) return joinSections([head, plain(`It ${WON[goal]} already.`)]);
  if (because !== undefined) return joinSections([head, plain(`Nothing was tried: ${because}.`)]);
  const lines = foundLines(shown);
  const found =
    lines.length === 0
      ? plain(
          `No single change that was tried would do: ${name} would not ${goal === 'first' ? 'be first' : 'be selected'}.`,
        )
      : section(`${name} ${WINS[goal]} with any one of`, lines, render);
  return joinSections([head, found, plain(triedText(shown))]);
}

function foundLines({ fields, weights, without }: WaysToWin): readonly string[] {
  return [
    ...without.filter(({ state }) => state === 'flips').map(({ id }) => `without ${id}`),
    ...fieldLines(fields),
    ...weights.flatMap((change) => {
      if (change.state !== 'flips') return [];
      const from = change.from === undefined ? 'is computed' : `now ${formatNumber(change.from)}`;
      return [`${change.id} weighed ${change.to} (${from})`];
    }),
  ];
}

/** What was tried without success, and what was not tried, so that silence is not taken for an answer. */
function triedText({ fields, weights, without, runs }: WaysToWin): string {
  const all = [
    ...without.map((one) => ({ ...one, name: `without ${one.id}` })),
    ...fields.map((one) => ({ ...one, name: one.field })),
    ...weights.map((one) => ({ ...one, name: `the weight of ${one.id}` })),
  ];
  const failed = all.filter(({ state }) => state === 'none').map(({ name }) => name);
  const skipped = all.flatMap((one) =>
    one.state === 'not_asked' ? [`${one.name} (${'because' in one ? one.because : ''})`] : [],
  );
  return [
    `Each change was applied, and the candidates were ranked again: ${runs.used.toLocaleString('en-US')} ${runs.used === 1 ? 'run' : 'runs'}.`,
    ...(failed.length > 0 ? [`Not enough alone: ${failed.join(', ')}.`] : []),
    ...(skipped.length > 0 ? [`Not tried: ${skipped.join('; ')}.`] : []),
  ].join(' ');
}
