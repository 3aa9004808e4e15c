import type { Snapshot } from '../model/snapshot.js';

/** The width of the strip of slopes, in pixels, as `--slopes` in the styles. */
const SLOPES = 64;

interface SlopesProps {
  readonly before: Snapshot;
  readonly now: Snapshot;
  /** The first rank that is seen, from 0, and how many are. */
  readonly first: number;
  readonly count: number;
  /** The height of a row, in pixels. */
  readonly row: number;
  /** The positions of the candidates that are looked at. */
  readonly marked: readonly (number | undefined)[];
}

/** A line from where each candidate was to where it is, of those that are seen, or that were there. */
export function Slopes({ before, now, first, count, row, marked }: SlopesProps) {
  const y = (rank: number): number => (rank - 0.5 - first) * row;
  const seen = ({ order }: Snapshot): readonly number[] => Array.from(order.subarray(first, first + count));
  const arrived = seen(now);
  const isIn = (rank: number): boolean => rank > first && rank <= first + count;
  const left = seen(before).filter((position) => now.ranks[position]! > 0 && !isIn(now.ranks[position]!));
  const isMoved = [...left, ...arrived].some((position) => before.ranks[position] !== now.ranks[position]);
  if (!isMoved) return null; // lines that all are level say nothing
  return (
    <svg class="slopes" width={SLOPES} height={count * row} aria-hidden="true">
      {[...left, ...arrived].map((position) => {
        const [from, to] = [before.ranks[position]!, now.ranks[position]!];
        if (from === 0) return <circle key={position} cx={SLOPES - 5} cy={y(to)} r={2.5} class="up" />;
        const way = from > to ? 'up' : from < to ? 'down' : 'same';
        const isSeen = isIn(from) && isIn(to);
        const mark = marked.includes(position) ? ' marked' : isSeen ? '' : ' gone';
        return <line key={position} x1={2} y1={y(from)} x2={SLOPES - 4} y2={y(to)} class={way + mark} />;
      })}
    </svg>
  );
}
