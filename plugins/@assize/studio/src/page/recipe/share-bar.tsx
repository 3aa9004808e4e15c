import { useRef } from 'preact/hooks';
import { followPointer } from '../parts/follow-pointer.js';
import { percent } from '../parts/in-words.js';
import { type NewWeights, sharesOf, type Weights, withBorder } from './shares.js';

interface ShareBarProps {
  readonly weights: Weights;
  readonly locked: ReadonlySet<string>;
  readonly nameOf: (id: string) => string;
  readonly colourOf: (id: string) => string;
  readonly weigh: (weights: NewWeights, dropped: boolean) => void;
}

/** Narrower parts have no room for their share, in parts of the bar. */
const ROOM = 0.12;
/** More parts have thinner borders. */
const MANY = 10;

/** All criteria as parts of one bar. The borders between them can be dragged, and moved by arrow keys. */
export function ShareBar({ weights, locked, nameOf, colourOf, weigh }: ShareBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  // The pointer moves after this render; it needs the weights that are shown by then.
  const now = useRef(weights);
  now.current = weights;
  const parts = [...sharesOf(weights)];
  let sum = 0;
  const bounds = parts.map(([id, share]) => {
    sum += share;
    return { id, share, to: sum };
  });
  const moveTo = (k: number, share: number, dropped: boolean) =>
    weigh(withBorder(now.current, bounds[k]!.id, bounds[k + 1]!.id, share), dropped);
  const drag = (k: number) => (event: PointerEvent) => {
    let to = bounds[k]!.share;
    const { share } = bounds[k]!;
    const { clientX: start } = event;
    followPointer(
      event,
      ({ clientX }) => {
        // From where it was pressed, which may be beside the middle of the border.
        to = share + (clientX - start) / (bar.current!.getBoundingClientRect().width || 1);
        moveTo(k, to, false);
      },
      () => moveTo(k, to, true),
    );
  };
  const press = (k: number) => (event: KeyboardEvent) => {
    const { share } = bounds[k]!;
    const both = share + bounds[k + 1]!.share;
    const to = targetOf(event.key, share, both, event.shiftKey ? 0.001 : 0.01);
    if (to === undefined) return;
    event.preventDefault();
    moveTo(k, to, true);
  };
  return (
    <div
      ref={bar}
      class={`share-bar${parts.length > MANY ? ' many' : ''}`}
      role="group"
      aria-label="Shares of the criteria"
    >
      {bounds.map(({ id, share }) => (
        <span
          key={id}
          class="part"
          style={{ width: `${100 * share}%`, background: colourOf(id) }}
          title={`${nameOf(id)} ${percent(share)} %`}
        >
          {share >= ROOM && <span>{percent(share)} %</span>}
        </span>
      ))}
      {bounds.slice(0, -1).map(({ id, share, to }, k) => {
        const next = bounds[k + 1]!;
        const fixed = locked.has(id) || locked.has(next.id);
        return (
          <span
            key={`border ${id}`}
            class="border"
            role="slider"
            tabIndex={fixed ? -1 : 0}
            aria-disabled={fixed}
            aria-label={`Border between ${nameOf(id)} and ${nameOf(next.id)}`}
            aria-valuemin={0}
            aria-valuemax={percent(share + next.share)}
            aria-valuenow={percent(share)}
            aria-valuetext={`${nameOf(id)} ${percent(share)} %, ${nameOf(next.id)} ${percent(next.share)} %`}
            style={{ left: `${100 * to}%` }}
            onPointerDown={fixed ? undefined : drag(k)}
            onKeyDown={fixed ? undefined : press(k)}
          />
        );
      })}
    </div>
  );
}

/** The share of the left part after a key, of what both parts have. */
function targetOf(key: string, share: number, both: number, step: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: share - step,
    ArrowDown: share - step,
    ArrowRight: share + step,
    ArrowUp: share + step,
    PageDown: share - 10 * step,
    PageUp: share + 10 * step,
    Home: 0,
    End: both,
  };
  const to = targets[key];
  return to === undefined ? undefined : Math.max(0, Math.min(both, to));
}
