import type { ComponentChildren } from 'preact';
import { Term } from '../glossary/term.js';
import type { StudioModel } from '../model/studio-model.js';
import { colourOf, formatNumber } from '../parts/format.js';
import { plainName } from '../parts/in-words.js';
import { stateInWords } from './state-words.js';

/** A part of a score: its start, and its amount. */
interface Step {
  readonly id: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly colour: string;
  readonly isBoost: boolean;
  /** Instead of a number: why there is none. */
  readonly missing?: ComponentChildren;
}

/** How a score adds up: a bar for each criterion and boost, each from where the one before it ended, and the total. */
export function Waterfall({ model, position }: { readonly model: StudioModel; readonly position: number }) {
  const row = model.ranking.rankedAt(model.shown.ranks[position]!);
  const steps = stepsOf(model, position);
  if (!row || !steps) return null;
  const criteria = steps.filter(({ isBoost }) => !isBoost).length;
  const missing = steps.filter((step) => step.missing !== undefined).length;
  const ends = [0, row.score, ...steps.flatMap(({ from, to }) => [from, to])];
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const at = (value: number): number => (100 * (value - least)) / (most - least || 1);
  const bar = (from: number, to: number) => ({
    left: `${at(Math.min(from, to))}%`,
    width: `${Math.abs(at(to) - at(from))}%`,
  });
  return (
    <table class="waterfall">
      <caption>
        <Term of="breakdown" />
        {missing > 0 && (
          <>
            {': '}
            <Term of="average">
              average of {criteria - missing} of {criteria} criteria
            </Term>
          </>
        )}
      </caption>
      <tbody>
        {steps.map(({ id, name, from, to, colour, isBoost, missing: reason }) => (
          <tr key={id}>
            <th scope="row" title={id}>
              {name}
            </th>
            <td class="track">
              {reason === undefined && to !== from && (
                <i
                  class={`${isBoost ? 'boost' : ''}${to < from ? ' minus' : ''}`}
                  style={{ ...bar(from, to), color: colour }}
                />
              )}
            </td>
            <td class="number">{reason ?? signed(to - from, isBoost)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Score</th>
          <td class="track">
            <i class="whole" style={bar(0, row.score)} />
          </td>
          <td class="number">{short(row.score)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

const short = (value: number): string => formatNumber(Number(value.toPrecision(3)));

const signed = (value: number, isBoost: boolean): string =>
  `${value < 0 ? '−' : isBoost ? '+' : ''}${short(Math.abs(value))}`;

/** The methods whose parts add up to the score. */
const SUMS: ReadonlySet<unknown> = new Set([undefined, 'weighted_mean', 'weighted_sum']);

/** The parts of a score; undefined if it does not add up from parts. */
function stepsOf(model: StudioModel, position: number): readonly Step[] | undefined {
  const terms = model.ranking.terms({ index: position });
  if (!terms?.contributions || !SUMS.has(model.data.profile.combine)) return undefined;
  const all = model.scorers.map(({ id }) => id);
  let end = 0;
  const criteria = Object.entries(terms.contributions).flatMap(([id, part]): Step[] => {
    const state = terms.states?.[id];
    if (part === null && state === undefined) return [];
    const from = end;
    end += part ?? 0;
    const missing = part === null ? stateInWords(state ?? '') : undefined;
    const colour = colourOf(all.indexOf(id));
    return [{ id, name: plainName(model, id), from, to: end, colour, isBoost: false, ...(missing && { missing }) }];
  });
  end = terms.combined ?? end;
  const boosts = (terms.rules ?? []).map(({ id, score }): Step => {
    const from = end;
    end = score;
    return { id, name: plainName(model, id), from, to: score, colour: 'var(--ink)', isBoost: true };
  });
  return [...criteria, ...boosts];
}
