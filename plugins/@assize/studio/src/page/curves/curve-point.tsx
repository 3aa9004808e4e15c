import { useRef } from 'preact/hooks';
import { followPointer } from '../parts/follow-pointer.js';
import { formatNumber, formatValue } from '../parts/format.js';
import { roundedIn } from '../parts/rounded-in.js';
import type { CurveScale } from './curve-scale.js';

type Point = readonly [x: number, y: number];

interface PointProps {
  readonly point: Point;
  readonly scale: CurveScale;
  readonly colour: string;
  readonly name: string;
  /** The x of its neighbours, between which it stays. */
  readonly between: readonly [before: number | undefined, after: number | undefined];
  readonly enabled: boolean;
  readonly drag: (to: Point) => void;
  /** It is let go, or set at once. */
  readonly drop: (to?: Point) => void;
  /** Adds a point beside it. */
  readonly add: () => void;
  readonly remove: () => void;
}

/** A point of a curve: arrows move it by a hundredth of the box, with Shift by a tenth; other keys add one, or remove it. */
export function CurvePoint({ point, scale, colour, name, between, enabled, drag, drop, add, remove }: PointProps) {
  const handle = useRef<HTMLSpanElement>(null);
  // While the pointer is down the file may be read again: what is set then is set beside what it says then.
  const latest = useRef({ drag, drop });
  latest.current = { drag, drop };
  const [x, y] = point;
  const placed = (toX: number, toY: number): Point => [within(toX, x, between, scale.x), clamp(toY, scale.y)];
  const onKeyDown = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    const act = ADDING.has(event.key) ? add : REMOVING.has(event.key) ? remove : undefined;
    if (by === undefined && act === undefined) return;
    event.preventDefault();
    if (by === undefined) return act?.();
    const step = event.shiftKey ? 0.1 : 0.01;
    drag(placed(x + by[0] * step * spanOf(scale.x), y + by[1] * step * spanOf(scale.y)));
  };
  const onPointerDown = (event: PointerEvent) => {
    const box = handle.current!.parentElement!.getBoundingClientRect();
    const at = (pointer: PointerEvent): Point => placed(...scale.at(pointer, box));
    let last: Point | undefined;
    followPointer(
      event,
      (moved) => latest.current.drag((last = at(moved))),
      () => last && latest.current.drop(last),
    );
  };
  return (
    <span
      ref={handle}
      class="point"
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-disabled={!enabled}
      aria-valuemin={scale.y.least}
      aria-valuemax={scale.y.most}
      aria-valuenow={y}
      aria-valuetext={`${formatValue(x)} gives ${formatNumber(y)}`}
      title={`${formatValue(x)} gives ${formatNumber(y)}`}
      style={{ left: scale.left(x), top: scale.top(y), color: colour }}
      {...(enabled && { onKeyDown, onPointerDown, onKeyUp: (event) => event.key in STEPS && drop() })}
    />
  );
}

const ADDING = new Set(['Insert', '+']);
const REMOVING = new Set(['Delete', 'Backspace']);
const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

type Extent = CurveScale['x'];

const spanOf = ({ least, most }: Extent): number => most - least;

const clamp = (value: number, extent: Extent): number =>
  roundedIn(Math.max(extent.least, Math.min(extent.most, value)), spanOf(extent));

/** An x between those of the neighbours; where there is no room, the one that it has. */
function within(to: number, x: number, [before, after]: PointProps['between'], extent: Extent): number {
  const room = spanOf(extent) / 1000;
  const value = roundedIn(
    Math.max((before ?? extent.least - room) + room, Math.min((after ?? extent.most + room) - room, to)),
    spanOf(extent),
  );
  return (before !== undefined && value <= before) || (after !== undefined && value >= after) ? x : value;
}
