import type { StudioModel } from '../model/studio-model.js';
import { plainName } from '../parts/in-words.js';
import { withWeightEverywhere } from '../settings/with-weights.js';
import { exactWeights, weightChange } from './weight-words.js';

interface WeightButtonsProps {
  readonly model: StudioModel;
  /** Each a weight that a criterion would have to get. */
  readonly weights: readonly { readonly id: string; readonly from?: number | undefined; readonly to: number }[];
  readonly report: (error: unknown) => void;
}

/** Weights that would change an order: each a button that sets one. */
export function WeightButtons({ model, weights, report }: WeightButtonsProps) {
  return (
    <ul class="ways">
      {weights.map(({ id, from, to }) => (
        <li key={id}>
          <button
            type="button"
            title={exactWeights(from, to)}
            onClick={() => void model.set(withWeightEverywhere(model.data, model.settings, id, to)).catch(report)}
          >
            {plainName(model, id)} {weightChange(from, to)}
          </button>
        </li>
      ))}
    </ul>
  );
}
