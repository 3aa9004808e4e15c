import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CurvePoints } from '../../data/studio-data.js';
import type { StudioModel } from '../model/studio-model.js';
import { Bars } from '../parts/bars.js';
import { binsOf } from '../parts/bins.js';
import { formatValue } from '../parts/format.js';
import { type Settings, withParam } from '../settings/settings.js';
import { isMonotone, type WithPoint, withoutPoint, withPoint, withPointBefore } from './curve-edits.js';
import { CurveNumbers } from './curve-numbers.js';
import { CurvePoint } from './curve-point.js';
import { curveScale } from './curve-scale.js';

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
 * A curve over the numbers that it is read at. Its points are moved by the pointer, by arrows, and as numbers; more are
 * added, and some removed, by the pointer and by keys. The server computes the scores again when one is let go.
 */
export function CurveEditor({ model, id, name, colour, set }: CurveProps) {
  const curve = model.data.curves[id];
  const bins = useMemo(() => curve && binsOf(Float64Array.from(curve.xs, (x) => x ?? Number.NaN)), [curve]);
  const [dragged, setDragged] = useState<CurvePoints | undefined>(undefined);
  const plot = useRef<HTMLDivElement>(null);
  const [focused, focus] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (focused !== undefined) plot.current?.querySelectorAll<HTMLElement>('.point')[focused]?.focus();
    focus(undefined);
  }, [focused]);
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
  const add = (added: WithPoint | undefined) => {
    if (!added) return;
    drop(added.points);
    focus(added.at);
  };
  const remove = (k: number) => {
    const rest = withoutPoint(points, k);
    if (!rest) return;
    drop(rest);
    focus(Math.min(k, rest.length - 1));
  };
  const onDblClick = (event: MouseEvent) => {
    const isPoint = event.target instanceof Element && event.target.closest('.point') !== null;
    if (model.hasServer && !isPoint) add(withPoint(points, scale.at(event, plot.current!.getBoundingClientRect())));
  };
  return (
    <div class="curve">
      <div
        ref={plot}
        class="plot"
        role="group"
        aria-label={`Curve of ${name}`}
        title={model.hasServer ? HINT : ''}
        {...{ onDblClick }}
      >
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
            add={() => add(withPointBefore(points, Math.min(k + 1, points.length - 1)))}
            remove={() => remove(k)}
          />
        ))}
      </div>
      <div class="bounds" aria-hidden="true">
        <span>{formatValue(scale.x.least)}</span>
        <span>{formatValue(scale.x.most)}</span>
      </div>
      {isMonotone(curve.points) && !isMonotone(points) && (
        <p class="note warning">The curve is no longer monotone; the curve in the file is.</p>
      )}
      <CurveNumbers {...{ points, name, add, remove }} enabled={model.hasServer} set={(k, to) => drop(moved(k, to))} />
    </div>
  );
}

const HINT = 'Double-click adds a point; Insert adds one next to the focused point, Delete removes it';
