import type { StudioModel } from '../model/studio-model.js';
import { colourOf } from '../parts/format.js';
import { plainName } from '../parts/in-words.js';
import { isOn } from '../settings/settings.js';

/** The colours of the bars of the cards: each criterion, and the boosts. */
export function Legend({ model }: { readonly model: StudioModel }) {
  const criteria = model.scorers.map((scorer, k) => ({ scorer, colour: colourOf(k) }));
  const shown = criteria.filter(({ scorer }) => isOn(model.settings, scorer));
  if (shown.length < 2) return null;
  return (
    <ul class="legend" aria-label="Colours of the score">
      {shown.map(({ scorer, colour }) => (
        <li key={scorer.id}>
          <i style={{ color: colour }} aria-hidden="true" />
          {plainName(model, scorer.id)}
        </li>
      ))}
      {model.ranking.matrix.rules.length > 0 && (
        <li>
          <i class="boost" aria-hidden="true" />
          boosts
        </li>
      )}
    </ul>
  );
}
