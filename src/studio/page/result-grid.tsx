import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { GridHead } from './grid-head.js';
import { GridRow } from './grid-row.js';
import type { ListColumn } from './list-columns.js';
import { isPlain, type ListSettings } from './list-view.js';
import { mostOf } from './score-bar.js';
import { Slopes } from './slopes.js';
import type { Snapshot } from './snapshot.js';
import type { StudioModel } from './studio-model.js';

/** The height of a row, in pixels. */
const ROW = 30;
/** Browsers draw no element that is higher than some 33 million pixels: beyond, scrolling is scaled. */
const MOST_HEIGHT = 30_000_000;

/** What the list shows, and what of it is looked at. */
export interface GridProps {
  readonly model: StudioModel;
  readonly shown: Snapshot;
  /** The positions of the candidates to list, in order. */
  readonly view: Int32Array;
  readonly list: ListSettings;
  readonly change: (list: ListSettings) => void;
  /** Those beside the score. */
  readonly columns: readonly ListColumn[];
  readonly active: number | undefined;
  readonly other: number | undefined;
  readonly choose: (position: number) => void;
  readonly chooseOther: (position: number) => void;
}

/** The list: only the rows that can be seen are in the document, so that a million take no longer than a hundred. */
export function ResultGrid(props: GridProps) {
  const { model, shown, view, list, change, columns, active, other, choose, chooseOther } = props;
  const box = useRef<HTMLDivElement>(null);
  const visible = useVisibleRows(box);
  const [scrolled, setScrolled] = useState(0);
  const height = Math.min(view.length * ROW, MOST_HEIGHT);
  const scale = (view.length * ROW) / Math.max(height, 1);
  const first = Math.max(0, Math.min(Math.floor((scrolled * scale) / ROW), view.length - visible + 1));
  const positions = Array.from(view.subarray(first, first + visible));
  const at = useMemo(() => (active === undefined ? -1 : view.indexOf(active)), [view, active]);
  const widest = useMemo(() => mostOf(model.ranking.matrix.totals), [model.ranking]);
  const move = (to: number) => {
    const next = Math.max(0, Math.min(to, view.length - 1));
    const position = view[next];
    if (position === undefined) return;
    choose(position);
    scrollTo(box.current!, (next * ROW) / scale);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return; // a button in the head
    const to = rowTarget(event.key, at, visible, view.length);
    if (to !== undefined) move(to);
    else if (event.key === 'c' && active !== undefined) chooseOther(active);
    else return;
    event.preventDefault();
  };
  const template = columnWidths(columns);
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label="Candidates"
      aria-rowcount={view.length + 1}
      aria-activedescendant={positions.includes(active ?? -1) ? `row-${active}` : undefined}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div class="table" style={{ minWidth: `${35 + 7 * columns.length}em` }}>
        <GridHead {...{ columns, list, change, template }} />
        <div role="rowgroup" class="rows" style={{ height: `${height}px` }}>
          <div role="presentation" class="window" style={{ top: `${(first * ROW) / scale}px` }}>
            {isPlain(list) && (
              <Slopes
                before={model.baseline}
                now={shown}
                count={positions.length}
                row={ROW}
                marked={[active, other]}
                first={first}
              />
            )}
            {positions.map((position, k) => (
              <GridRow key={position} {...props} {...{ position, widest, template }} at={first + k} height={ROW} />
            ))}
          </div>
        </div>
      </div>
      {view.length === 0 && (
        <p class="empty">{shown.order.length === 0 ? 'Nothing is ranked.' : 'Nothing is left to list.'}</p>
      )}
    </div>
  );
}

type Box = { readonly current: HTMLDivElement | null };

/** How many rows a box has room for. */
function useVisibleRows(box: Box): number {
  const [visible, setVisible] = useState(20);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setVisible(Math.ceil(element.clientHeight / ROW) + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [box]);
  return visible;
}

/** Scrolls so far that a row is seen below the head. */
function scrollTo(element: HTMLElement, top: number): void {
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + 2 * ROW > element.scrollTop + element.clientHeight) {
    element.scrollTop = top + 2 * ROW - element.clientHeight;
  }
}

/** The place in the list to which a key leads from another. */
function rowTarget(key: string, at: number, visible: number, length: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + visible - 2,
    PageUp: at - visible + 2,
    Home: 0,
    End: length - 1,
  };
  return targets[key];
}

const columnWidths = (columns: readonly ListColumn[]): string =>
  `var(--slopes) 3.25em 4em minmax(9em, 2fr) 4.5em minmax(11em, 3fr) ${columns.map(() => 'minmax(5.5em, 1fr)').join(' ')}`;
