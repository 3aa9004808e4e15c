import { useEffect, useState } from 'preact/hooks';
import type { Comparison } from 'assize/browser';
import type { StudioModel } from '../model/studio-model.js';
import { colourOf, formatNumber } from '../parts/format.js';
import { ordinal, plainName } from '../parts/in-words.js';
import { isOn } from '../settings/settings.js';
import { WeightButtons } from './weight-buttons.js';

/** More items do not fit next to each other. */
export const MOST_COMPARED = 4;

interface TrayProps {
  readonly model: StudioModel;
  /** The items, the first chosen first. */
  readonly positions: readonly number[];
  readonly titleOf: (position: number) => string;
  readonly report: (error: unknown) => void;
  /** Removes an item. */
  readonly remove: (position: number) => void;
}

/** Two to four items next to each other: what each criterion gives to each, and what would reverse the order of two. */
export function CompareTray({ model, positions, titleOf, report, remove }: TrayProps) {
  if (positions.length < 2) return null;
  const terms = positions.map((position) => model.ranking.terms({ index: position }));
  const criteria = model.scorers.filter((scorer) => isOn(model.settings, scorer));
  const [a, b] = positions;
  return (
    <section class="compare" aria-label="Comparison">
      <h3>Comparison</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label="Compared items">
        <table>
          <thead>
            <tr>
              <td />
              {positions.map((position) => (
                <th key={position} scope="col">
                  <span class="clamp" title={titleOf(position)}>
                    {titleOf(position)}
                  </span>
                  <button type="button" class="quiet" onClick={() => remove(position)}>
                    Remove<span class="visually-hidden"> {titleOf(position)} from the comparison</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Place</th>
              {positions.map((position) => (
                <td key={position}>
                  {model.shown.ranks[position]! > 0 ? ordinal(model.shown.ranks[position]!) : 'removed'}
                </td>
              ))}
            </tr>
            {criteria.map(({ id }) => {
              const scores = terms.map((one) => one?.scores[id] ?? undefined);
              const best = Math.max(...scores.flatMap((score) => score ?? []));
              return (
                <tr key={id}>
                  <th scope="row" title={id}>
                    <i style={{ background: colourOf(model.scorers.findIndex((one) => one.id === id)) }} />
                    {plainName(model, id)}
                  </th>
                  {scores.map((score, k) => (
                    <td key={positions[k]} class={score === best ? 'best' : ''}>
                      {score === undefined ? <small>no data</small> : formatNumber(score)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {positions.length === 2 && <Reversals {...{ model, report, titleOf }} pair={[a!, b!]} />}
    </section>
  );
}

interface ReversalsProps extends Pick<TrayProps, 'model' | 'report' | 'titleOf'> {
  readonly pair: readonly [number, number];
}

/** The weights that would reverse the order of two items: each a button that sets it. */
function Reversals({ model, pair: [a, b], titleOf, report }: ReversalsProps) {
  const [comparison, setComparison] = useState<Comparison | undefined>(undefined);
  const { ranking } = model;
  useEffect(() => {
    let current = true;
    ranking.compare({ index: a }, { index: b }).then((found) => current && setComparison(found), report);
    return () => {
      current = false;
    };
  }, [ranking, a, b, report]);
  const { behind } = comparison?.flips ?? {};
  const weights = (comparison?.flips.weights ?? []).filter((flip) => flip.state === 'flips');
  if (weights.length === 0 || behind === undefined) return null;
  return (
    <>
      <h3>What would put {titleOf(behind === 'a' ? a : b)} ahead</h3>
      <WeightButtons {...{ model, weights, report }} />
    </>
  );
}
