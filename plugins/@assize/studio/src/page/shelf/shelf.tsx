import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { mostOf } from '../list/score-bar.js';
import type { Snapshot } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatCount } from '../parts/in-words.js';
import { useRowWindow } from '../parts/row-window.js';
import { textScale } from '../parts/text-scale.js';
import { Card, type CardJudge } from './card.js';
import { Legend } from './legend.js';
import { Lines, type ShelfOrder } from './shelf-order.js';
import type { Cards } from './use-card-fields.js';

/** Sizes in pixels at the usual size of text, as in the styles: the least width of a card, and its height. */
const SIZES = { tall: { width: 176, height: 244 }, wide: { width: 250, height: 112 } } as const;
/** The space between cards, at any size of text. */
const GAP = 12;
/** The height of the line that marks the cut, at the usual size of text. */
const CUT_HEIGHT = 44;

interface ShelfProps {
  readonly model: StudioModel;
  readonly shown: Snapshot;
  readonly shelf: ShelfOrder;
  readonly cards: Cards;
  readonly active: number | undefined;
  readonly tray: readonly number[];
  readonly choose: (position: number) => void;
  /** Shows the details of an item. */
  readonly open: (position: number) => void;
  /** Adds an item to those that are compared, or removes it. */
  readonly mark: (position: number) => void;
  /** Undefined outside of the mode in which items are graded. */
  readonly judge: CardJudge | undefined;
}

/** The items as cards. Only the lines that can be seen are in the document. */
export function Shelf(props: ShelfProps) {
  const { model, shown, shelf, cards, active, tray, choose, open, mark, judge } = props;
  const { order, cut = order.length } = shelf;
  const shape = cards.hasImages ? 'tall' : 'wide';
  const box = useRef<HTMLDivElement>(null);
  const [scale] = useState(textScale);
  const columns = useColumns(box, SIZES[shape].width * scale);
  const height = SIZES[shape].height * scale + GAP;
  const cutHeight = CUT_HEIGHT * scale;
  const lines = useMemo(() => new Lines(order.length, cut, columns), [order, cut, columns]);
  const rows = useRowWindow(box, lines.count, height);
  const first = Math.max(0, rows.first - 1);
  const last = Math.min(lines.count, rows.first + rows.count + 1);
  const at = useMemo(() => (active === undefined ? -1 : order.indexOf(active)), [order, active]);
  const widest = mostOf(model.ranking);
  const hasCut = shelf.cut !== undefined;
  const top = rows.top - (rows.first - first) * height + (hasCut && first > lines.above ? cutHeight : 0);
  const go = (to: number) => {
    const next = Math.max(0, Math.min(to, order.length - 1));
    const position = order[next];
    if (position === undefined) return;
    choose(position);
    rows.show(lines.lineOf(next));
  };
  // With the rendering: after the paint, it would undo the scrolling of a key that was pressed in between.
  useLayoutEffect(() => {
    if (judge && at >= 0) rows.show(lines.lineOf(at)); // a button above the items has the focus
    if (document.activeElement === box.current)
      document.getElementById(`card-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, rows.count - 2);
    const to = targetOf(event.key, at, lines, page, order.length);
    if (to !== undefined) go(to);
    else if (event.key === 'Enter' && active !== undefined) open(active);
    else if (event.key === 'c' && active !== undefined) mark(active);
    else return;
    event.preventDefault();
  };
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, k) => first + k);
  const isDrawn = at >= 0 && lines.lineOf(at) >= first && lines.lineOf(at) < last;
  return (
    <>
      <Legend {...{ model }} />
      <div
        ref={box}
        class={`shelf ${shape}`}
        role={order.length === 0 ? 'group' : 'listbox'} // a listbox has at least one option
        tabIndex={0}
        aria-label="Items"
        aria-activedescendant={isDrawn ? `card-${active}` : undefined}
        onScroll={rows.onScroll}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" class="rows" style={{ height: `${rows.height + (hasCut ? cutHeight : 0)}px` }}>
          <div role="presentation" class="window" style={{ top: `${top}px` }}>
            {drawn.map((line) => {
              const [from, to] = lines.itemsOf(line);
              return (
                <div key={line} role="presentation">
                  {hasCut && line === lines.above && <CutLine above={cut} below={order.length - cut} />}
                  <div role="presentation" class="cards" style={{ '--columns': columns }}>
                    {Array.from(order.subarray(from, to), (position, k) => (
                      <Card
                        key={position}
                        {...{ model, shown, position, widest }}
                        text={cards.read(model.data.candidates[position]!)}
                        at={from + k}
                        of={order.length}
                        above={from + k < cut}
                        isActive={position === active}
                        isMarked={tray.includes(position)}
                        open={open}
                        judge={judge}
                      />
                    ))}
                  </div>
                </div>
              );
            })}
          </div>
        </div>
        {order.length === 0 && (
          <p class="empty">{shown.order.length === 0 ? 'Every item is removed.' : 'No item matches.'}</p>
        )}
      </div>
    </>
  );
}

function CutLine({ above, below }: { readonly above: number; readonly below: number }) {
  return (
    <div role="presentation" class="cut-line">
      <span>
        <b>Below the line: not shown to users</b>
        <small>
          {' '}
          {formatCount(above)} shown, {formatCount(below)} below the cut
        </small>
      </span>
    </div>
  );
}

/** How many cards fit next to each other. */
function useColumns(box: { readonly current: HTMLElement | null }, width: number): number {
  const [columns, setColumns] = useState(3);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const inner = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      setColumns(Math.max(1, Math.floor((inner + GAP) / (width + GAP))));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [box, width]);
  return columns;
}

/** The item to which a key leads from another. */
function targetOf(key: string, at: number, lines: Lines, page: number, length: number): number | undefined {
  if (at < 0)
    return ['ArrowRight', 'ArrowDown', 'j', 'Home'].includes(key) ? 0 : key === 'End' ? length - 1 : undefined;
  const targets: Readonly<Record<string, () => number>> = {
    ArrowRight: () => at + 1,
    j: () => at + 1,
    ArrowLeft: () => at - 1,
    k: () => at - 1,
    ArrowDown: () => lines.below(at, 1),
    ArrowUp: () => lines.below(at, -1),
    PageDown: () => lines.below(at, page),
    PageUp: () => lines.below(at, -page),
    Home: () => 0,
    End: () => length - 1,
  };
  return targets[key]?.();
}
