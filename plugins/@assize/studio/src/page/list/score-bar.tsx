import type { Ranking } from 'assize/browser';
import type { StudioModel } from '../model/studio-model.js';
import { colourOf, formatNumber } from '../parts/format.js';

interface BarProps {
  readonly model: StudioModel;
  readonly position: number;
  readonly score: number;
  /** The greatest score, which a full bar stands for. */
  readonly widest: number;
}

/** What the score is made of: a segment for each scorer's part, outlined where it takes away, and what the rules did hatched. */
export function ScoreBar({ model, position, score, widest }: BarProps) {
  const terms = model.ranking.terms({ index: position });
  if (!terms) return null;
  const all = model.scorers.map(({ id }) => id);
  const parts = Object.entries(terms.contributions ?? {}).filter(([, part]) => part !== null && part !== 0);
  const { combined } = terms;
  const scores = Object.values(terms.scores);
  const present = scores.filter((one) => one !== null).length;
  const byRules = combined === undefined ? 0 : score - combined;
  const width = (part: number) => `${100 * Math.abs(part / widest)}%`;
  return (
    <span class="bar">
      {parts.map(([id, part]) => (
        <i
          key={id}
          class={part! < 0 ? 'minus' : ''}
          style={{ width: width(part!), color: colourOf(all.indexOf(id)) }}
          title={`${model.nameOf(id)} ${formatNumber(part!)}`}
        />
      ))}
      {parts.length === 0 && <i class="whole" style={{ width: width(Math.max(0, combined ?? score)) }} />}
      {byRules !== 0 && (
        <i
          class={`rules ${byRules > 0 ? 'plus' : 'minus'}`}
          style={{ width: width(byRules) }}
          title={`boosts ${formatNumber(byRules)}`}
        />
      )}
      {present < scores.length && (
        <small title={`Average of ${present} of ${scores.length} criteria: the others have no data`}>
          {present} of {scores.length}
        </small>
      )}
    </span>
  );
}

/** The greatest score, which a full bar stands for. */
export function mostOf({ order, matrix: { totals } }: Ranking<object>): number {
  const [best] = order;
  return best === undefined ? 1 : Math.max(totals[best]!, 0) || 1;
}
