import type { StudioModel } from '../model/studio-model.js';
import { formatNumber } from '../parts/format.js';
import { withWeightEverywhere } from '../settings/with-weights.js';
import { type NewWeight, proposalsOf } from './proposals.js';

interface ProposalListProps {
  readonly model: StudioModel;
  readonly weights: readonly NewWeight[];
  readonly report: (error: unknown) => void;
}

/** Changes of one criterion that would change an order, each with a button that tries it. */
export function ProposalList({ model, weights, report }: ProposalListProps) {
  const proposals = proposalsOf(model, weights);
  if (proposals.length === 0) return <p class="note">Not by one criterion alone.</p>;
  return (
    <ul class="ways">
      {proposals.map(({ id, from, to, text }) => (
        <li key={id} class="row">
          <span title={`weight ${from === undefined ? '' : formatNumber(from)} → ${formatNumber(to)}`}>{text}</span>
          <button
            type="button"
            aria-label={`Try this: ${text}`}
            onClick={() => void model.set(withWeightEverywhere(model.data, model.settings, id, to)).catch(report)}
          >
            Try this
          </button>
        </li>
      ))}
    </ul>
  );
}
