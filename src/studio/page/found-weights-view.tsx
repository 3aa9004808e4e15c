import type { FoundWeights } from '../data/found-weights.js';
import { formatNumber } from './format.js';

/** Weights that were found, and what shows that they are better. */
export function FoundWeightsView({ found }: { readonly found: FoundWeights }) {
  return (
    <>
      <ul class="evidence">
        {found.evidence.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <table>
        <thead>
          <tr>
            <th scope="col">scorer</th>
            <th scope="col">weight</th>
            <th scope="col">was</th>
          </tr>
        </thead>
        <tbody>
          {found.scorers.map(({ id, weight, before }) => (
            <tr key={id}>
              <th scope="row">{id}</th>
              <td>{formatNumber(weight)}</td>
              <td>{formatNumber(before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">In the page they are a step that can be undone: nothing is saved.</p>
    </>
  );
}
