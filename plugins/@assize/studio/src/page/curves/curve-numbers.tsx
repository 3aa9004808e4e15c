import { type CurvePoints, FEWEST_POINTS } from '../../data/studio-data.js';
import { formatValue } from '../parts/format.js';
import { NumberInput } from '../parts/number-input.js';
import { type WithPoint, widestStep, withPointBefore } from './curve-edits.js';

interface CurveNumbersProps {
  readonly points: CurvePoints;
  readonly name: string;
  readonly enabled: boolean;
  readonly set: (k: number, to: readonly [number, number]) => void;
  readonly add: (added: WithPoint | undefined) => void;
  readonly remove: (k: number) => void;
}

/** The points as numbers, to be set, removed, and added to: one that would not stand between its neighbours is not taken. */
export function CurveNumbers({ points, name, enabled, set, add, remove }: CurveNumbersProps) {
  const number = (k: number, axis: 0 | 1) => {
    const label = `${axis === 0 ? 'x' : 'y'} of point ${k + 1} of ${name}`;
    const [before, after] = axis === 0 ? [points[k - 1]?.[0], points[k + 1]?.[0]] : [];
    return (
      <NumberInput
        type="number"
        step="any"
        label={label}
        disabled={!enabled}
        value={points[k]![axis]}
        refusal={(value) => refusalBetween(value, before, after)}
        take={(value) => set(k, axis === 0 ? [value, points[k]![1]] : [points[k]![0], value])}
      />
    );
  };
  const middle = withPointBefore(points, widestStep(points));
  return (
    <details class="params">
      <summary>points</summary>
      {points.map((_, k) => (
        <div key={k} class="row point-numbers">
          {number(k, 0)} → {number(k, 1)}
          {enabled && (
            <button
              type="button"
              class="quiet"
              aria-label={`Remove point ${k + 1} of ${name}`}
              title="Remove it"
              disabled={points.length <= FEWEST_POINTS}
              onClick={() => remove(k)}
            >
              ✕
            </button>
          )}
        </div>
      ))}
      {enabled && (
        <button
          type="button"
          class="quiet"
          disabled={middle === undefined}
          title="Adds a point in the middle of the widest step, without changing the curve"
          onClick={() => add(middle)}
        >
          Add a point<span class="visually-hidden"> to {name}</span>
        </button>
      )}
    </details>
  );
}

/** Why a point cannot have a place on the horizontal axis; empty if it stands between its neighbours. */
function refusalBetween(value: number, before: number | undefined, after: number | undefined): string {
  if (before !== undefined && value <= before) return `Type more than ${formatValue(before)}`;
  return after !== undefined && value >= after ? `Type less than ${formatValue(after)}` : '';
}
