import type { FoundWeights } from '../../data/studio-data.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatNumber } from '../parts/format.js';
import { plainName } from '../parts/in-words.js';
import { foundWords } from './found-words.js';

interface ViewProps {
  readonly model: StudioModel;
  readonly found: FoundWeights;
}

/** Weights that were found, in sentences, with the evidence; or why none were found. */
export function FoundWeightsView({ model, found }: ViewProps) {
  const { scorers, evidence } = found;
  const hasLikely = scorers.some(({ likely }) => likely !== undefined);
  const words = foundWords(model, found);
  const lines = (
    <ul class="evidence">
      {evidence.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
  if (scorers.length === 0) return lines;
  return (
    <>
      <ul class="found-words">
        {words.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
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
              <th scope="row">{plainName(model, id)}</th>
              <td>{formatNumber(weight)}</td>
              {hasLikely && <td>{likely?.map((bound) => bound.toFixed(2)).join(' to ')}</td>}
              <td>{formatNumber(before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines}
      <p class="note">You can undo this step; nothing is saved.</p>
    </>
  );
}
