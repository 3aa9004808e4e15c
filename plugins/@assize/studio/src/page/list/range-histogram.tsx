import { useMemo, useRef } from 'preact/hooks';
import type { Ranking } from 'assize/browser';
import { Bars } from '../parts/bars.js';
import { type Bins, binsOf } from '../parts/bins.js';
import { followPointer } from '../parts/follow-pointer.js';
import { formatValue } from '../parts/format.js';
import { roundedIn } from '../parts/rounded-in.js';
import type { ListColumn } from './list-columns.js';
import type { Range } from './list-view.js';

interface RangeProps {
  readonly column: ListColumn;
  readonly ranking: Ranking<object>;
  readonly colour: string;
  readonly range: Range | undefined;
  readonly change: (range: Range | undefined) => void;
}

/** How the numbers of a column are spread, with a handle at each end: what is not between them is not listed. */
export function RangeHistogram(props: RangeProps) {
  const { column, ranking, colour, range, change } = props;
  const values = column.numbers(ranking);
  const bins = useMemo(() => binsOf(values), [values]);
  const bars = useMemo(() => bins && <Bars {...{ bins, colour }} isIn={isWithin(range)} />, [bins, colour, range]);
  const box = useRef<HTMLDivElement>(null);
  if (!bins) return <p class="note">no numbers</p>;
  const { least, most } = range ?? bins;
  const set = (next: Range) => change(wholeOr(next, bins));
  const brush = useBrush(box, bins, set);
  return (
    <div class={`range${range ? ' narrowed' : ''}`}>
      <div ref={box} class="plot" onPointerDown={brush}>
        {bars}
        <Handle
          {...{ bins, box }}
          name={`Least ${column.title}`}
          value={least}
          set={(to) => set({ least: Math.min(to, most), most })}
        />
        <Handle
          {...{ bins, box }}
          name={`Most ${column.title}`}
          value={most}
          set={(to) => set({ least, most: Math.max(to, least) })}
        />
      </div>
      <div class="bounds" aria-hidden="true">
        <span>{formatValue(least, column.title)}</span>
        <span>{formatValue(most, column.title)}</span>
      </div>
    </div>
  );
}

/** Whether a bin, by its bounds, has something of a range. */
const isWithin = (range: Range | undefined) => (from: number, to: number) =>
  !range || (to > range.least && from < range.most) || to === from;

/** No range, where it leaves nothing out. */
const wholeOr = (range: Range, bins: Bins): Range | undefined =>
  range.least <= bins.least && range.most >= bins.most ? undefined : range;

/** The number at a place of a box, in as many digits as a pixel is worth. */
function numberAt(clientX: number, element: HTMLElement, { least, most }: Bins): number {
  const { left, width } = element.getBoundingClientRect();
  const share = Math.max(0, Math.min(1, (clientX - left) / (width || 1)));
  if (share === 0 || share === 1) return share === 0 ? least : most;
  return roundedIn(least + share * (most - least), most - least);
}

type Box = { readonly current: HTMLDivElement | null };

/** A range that is drawn over the bars. */
const useBrush = (box: Box, bins: Bins, set: (range: Range) => void) => (event: PointerEvent) => {
  const from = numberAt(event.clientX, box.current!, bins);
  followPointer(event, ({ clientX }) => {
    const to = numberAt(clientX, box.current!, bins);
    if (to !== from) set({ least: Math.min(from, to), most: Math.max(from, to) });
  });
};

interface HandleProps {
  readonly bins: Bins;
  readonly box: Box;
  readonly name: string;
  readonly value: number;
  readonly set: (value: number) => void;
}

function Handle({ bins, box, name, value, set }: HandleProps) {
  const { least, most } = bins;
  const width = most - least;
  const onKeyDown = (event: KeyboardEvent) => {
    const to = keyTarget(event.key, value, bins);
    if (to === undefined) return;
    event.preventDefault();
    set(to === least || to === most ? to : roundedIn(Math.max(least, Math.min(most, to)), width));
  };
  const share = width === 0 ? Number(name.startsWith('Most')) : Math.max(0, Math.min(1, (value - least) / width));
  return (
    <span
      class="handle"
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={value}
      aria-valuetext={formatValue(value, name)}
      style={{ left: `${100 * share}%` }}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => followPointer(event, ({ clientX }) => set(numberAt(clientX, box.current!, bins)))}
    />
  );
}

/** Where a key moves a handle: by a hundredth of the width, a tenth, or to an end. */
function keyTarget(key: string, value: number, { least, most }: Bins): number | undefined {
  const step = (most - least) / 100;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: value - step,
    ArrowDown: value - step,
    ArrowRight: value + step,
    ArrowUp: value + step,
    PageDown: value - 10 * step,
    PageUp: value + 10 * step,
    Home: least,
    End: most,
  };
  return targets[key];
}
