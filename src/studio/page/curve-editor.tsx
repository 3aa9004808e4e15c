import { useMemo, useState } from 'preact/hooks';
import type { CurvePoints } from '../data/curve-data.js';
import { Bars } from './bars.js';
import { binsOf } from './bins.js';
import { CurvePoint } from './curve-point.js';
import { curveScale, isMonotone } from './curve-scale.js';
import { formatNumber } from './format.js';
import { type Settings, withParam } from './settings.js';
import type { StudioModel } from './studio-model.js';

interface CurveProps {
  readonly model: StudioModel;
  /** Of the entry. */
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  /** Is done when the ranking is by it, or cannot be. */
  readonly set: (settings: Settings) => Promise<void>;
}

/**
 * A curve over the numbers that it is read at. Its points are moved by the pointer, by arrows, and as numbers; the server
 * computes the scores again when one is let go.
 */
export function CurveEditor({ model, id, name, colour, set }: CurveProps) {
  const curve = model.data.curves[id];
  const bins = useMemo(() => curve && binsOf(Float64Array.from(curve.xs, (x) => x ?? Number.NaN)), [curve]);
  const [dragged, setDragged] = useState<CurvePoints | undefined>(undefined);
  if (!curve) return null;
  const given = model.settings.params[id]?.['points'];
  const points = dragged ?? (typeof given === 'object' ? given : curve.points);
  const scale = curveScale(curve.points, points, bins);
  const moved = (k: number, to: readonly [number, number]): CurvePoints =>
    points.map((one, at) => (at === k ? to : one));
  const drop = (next: CurvePoints) => {
    if (next === points && !dragged) return;
    setDragged(next);
    void set(withParam(model.settings, id, 'points', next, curve.points)).then(() =>
      setDragged((now) => (now === next ? undefined : now)),
    );
  };
  return (
    <div class="curve">
      <div class="plot" role="group" aria-label={`Curve of ${name}`}>
        {bins && (
          <div class="under" style={{ left: scale.left(bins.least), width: scale.width(bins.most - bins.least) }}>
            <Bars bins={bins} colour="var(--line)" />
          </div>
        )}
        <svg class="line-of" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <polyline points={scale.line(points)} stroke={colour} />
        </svg>
        {points.map((point, k) => (
          <CurvePoint
            key={k}
            {...{ point, scale, colour }}
            name={`Point ${k + 1} of ${name}`}
            between={[points[k - 1]?.[0], points[k + 1]?.[0]]}
            enabled={model.hasServer}
            drag={(to) => setDragged(moved(k, to))}
            drop={(to) => drop(to ? moved(k, to) : points)}
          />
        ))}
      </div>
      <div class="bounds" aria-hidden="true">
        <span>{formatNumber(scale.x.least)}</span>
        <span>{formatNumber(scale.x.most)}</span>
      </div>
      {isMonotone(curve.points) && !isMonotone(points) && (
        <p class="note warning">It no longer goes one way: as it is written, it does.</p>
      )}
      <PointNumbers {...{ points, name }} enabled={model.hasServer} set={(k, to) => drop(moved(k, to))} />
    </div>
  );
}

interface NumbersProps {
  readonly points: CurvePoints;
  readonly name: string;
  readonly enabled: boolean;
  readonly set: (k: number, to: readonly [number, number]) => void;
}

/** The points as numbers: one that would not stand between its neighbours is not taken. */
function PointNumbers({ points, name, enabled, set }: NumbersProps) {
  const number = (k: number, axis: 0 | 1) => {
    const label = `${axis === 0 ? 'x' : 'y'} of point ${k + 1} of ${name}`;
    const [before, after] = axis === 0 ? [points[k - 1]?.[0], points[k + 1]?.[0]] : [];
    const onChange = (event: { readonly currentTarget: HTMLInputElement }) => {
      const value = event.currentTarget.valueAsNumber;
      const fits = Number.isFinite(value) && !(value <= before!) && !(value >= after!);
      if (fits) set(k, axis === 0 ? [value, points[k]![1]] : [points[k]![0], value]);
      else event.currentTarget.value = String(points[k]![axis]);
    };
    return (
      <input
        type="number"
        step="any"
        aria-label={label}
        disabled={!enabled}
        value={points[k]![axis]}
        {...{ onChange }}
      />
    );
  };
  return (
    <details class="params">
      <summary>points</summary>
      {points.map((_, k) => (
        <div key={k} class="row">
          {number(k, 0)} → {number(k, 1)}
        </div>
      ))}
    </details>
  );
}
