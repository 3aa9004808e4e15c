import { useEffect, useState } from 'preact/hooks';
import type { Comparison } from 'assize/browser';
import type { StudioModel } from '../model/studio-model.js';
import { formatNumber } from '../parts/format.js';
import { withWeightEverywhere } from '../settings/with-weights.js';

interface CompareProps {
  readonly model: StudioModel;
  readonly positions: readonly [number, number];
  readonly report: (error: unknown) => void;
}

/** What decides between two candidates, and the weights that would turn them: each a button that sets it. */
export function ComparePanel({ model, positions: [a, b], report }: CompareProps) {
  const [comparison, setComparison] = useState<Comparison | undefined>(undefined);
  const { ranking } = model;
  useEffect(() => {
    let current = true;
    ranking.compare({ index: a }, { index: b }).then((found) => current && setComparison(found), report);
    return () => {
      current = false;
    };
  }, [ranking, a, b, report]);
  if (!comparison) return null;
  const { terms, flips } = comparison;
  const weights = (flips.weights ?? []).filter((flip) => flip.state === 'flips');
  return (
    <section class="compare" aria-label="Comparison">
      <h2>
        {comparison.a.id} or {comparison.b.id}
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col">scorer</th>
            <th scope="col">{comparison.a.id}</th>
            <th scope="col">{comparison.b.id}</th>
            <th scope="col">difference</th>
          </tr>
        </thead>
        <tbody>
          {terms.map(({ id, a: own, b: others, difference }) => (
            <tr key={id}>
              <th scope="row" title={id}>
                {model.nameOf(id)}
              </th>
              <td>{own.value === undefined ? 'absent' : formatNumber(own.value)}</td>
              <td>{others.value === undefined ? 'absent' : formatNumber(others.value)}</td>
              <td>{difference === undefined ? '' : formatNumber(difference)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {weights.length > 0 && <h3>What would reverse their order</h3>}
      <ul>
        {weights.map(({ id, from, to }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => void model.set(withWeightEverywhere(model.data, model.settings, id, to)).catch(report)}
            >
              {model.nameOf(id)}: weight {from === undefined ? '' : formatNumber(from)} → {formatNumber(to)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
