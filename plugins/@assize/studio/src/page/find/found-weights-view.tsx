import type { FoundWeights } from '../../data/studio-data.js';
import { formatNumber } from '../parts/format.js';

/** Weights that were found, and what shows that they are better; where nothing was found, that. */
export function FoundWeightsView({ found: { scorers, evidence } }: { readonly found: FoundWeights }) {
  const hasLikely = scorers.some(({ likely }) => likely !== undefined);
  return (
    <>
      <ul class="evidence">
        {evidence.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {scorers.length > 0 && (
        <>
          <table>
            <thead>
              <tr>
                <th scope="col">criterion</th>
                <th scope="col">weight</th>
                {hasLikely && <th scope="col">likely</th>}
                <th scope="col">was</th>
              </tr>
            </thead>
            <tbody>
              {scorers.map(({ id, weight, likely, before }) => (
                <tr key={id}>
                  <th scope="row">{id}</th>
                  <td>{formatNumber(weight)}</td>
                  {hasLikely && <td>{likely?.map((bound) => bound.toFixed(2)).join(' to ')}</td>}
                  <td>{formatNumber(before)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="note">You can undo this step; nothing is saved.</p>
        </>
      )}
    </>
  );
}
