import { useMemo, useRef, useState } from 'preact/hooks';
import { isSelected, type Snapshot } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatScore, formatValue } from '../parts/format.js';
import { ordinal } from '../parts/in-words.js';
import { useRowWindow } from '../parts/row-window.js';
import { textScale } from '../parts/text-scale.js';
import { GridHead } from './grid-head.js';
import type { ListColumn } from './list-columns.js';
import { isPlain, type ListSettings } from './list-view.js';
import { mostOf, ScoreBar } from './score-bar.js';
import { Slopes } from './slopes.js';

/** The height of a row in pixels, at the usual size of text. */
const ROW_HEIGHT = 30;

/** What the list shows, and what of it is looked at. */
interface GridProps {
  readonly model: StudioModel;
  readonly shown: Snapshot;
  /** The positions of the candidates to list, in order. */
  readonly view: Int32Array;
  readonly list: ListSettings;
  readonly change: (list: ListSettings) => void;
  /** Those beside the score. */
  readonly columns: readonly ListColumn[];
  readonly active: number | undefined;
  /** Those that are compared. */
  readonly tray: readonly number[];
  readonly choose: (position: number) => void;
  /** Shows the details of an item. */
  readonly open: (position: number) => void;
  /** Adds an item to those that are compared, or removes it. */
  readonly mark: (position: number) => void;
}

/** The list: only the rows that can be seen are in the document, so that a million take no longer than a hundred. */
export function ResultGrid(props: GridProps) {
  const { model, shown, view, list, change, columns, active, tray, choose, open, mark } = props;
  const box = useRef<HTMLDivElement>(null);
  const [row] = useState(() => ROW_HEIGHT * textScale());
  const { first, count, height, top, onScroll, show } = useRowWindow(box, view.length, row);
  const positions = Array.from(view.subarray(first, first + count));
  const at = useMemo(() => (active === undefined ? -1 : view.indexOf(active)), [view, active]);
  const widest = mostOf(model.ranking);
  const move = (to: number) => {
    const next = Math.max(0, Math.min(to, view.length - 1));
    const position = view[next];
    if (position === undefined) return;
    choose(position);
    show(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return; // a button in the head
    if (event.ctrlKey || event.metaKey || event.altKey) return; // the browser's: copy, zoom, back
    const to = rowTarget(event.key, at, count, view.length);
    if (to !== undefined) move(to);
    else if (event.key === 'Enter' && active !== undefined) open(active);
    else if (event.key === 'c' && active !== undefined) mark(active);
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
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div class="table" style={{ minWidth: `${35 + 7 * columns.length}rem` }}>
        <GridHead {...{ columns, list, change, template }} />
        <div role="rowgroup" class="rows" style={{ height: `${height}px` }}>
          <div role="presentation" class="window" style={{ top: `${top}px` }}>
            {isPlain(list) && (
              <Slopes
                before={model.baseline}
                now={shown}
                count={positions.length}
                row={row}
                marked={[active, ...tray]}
                first={first}
              />
            )}
            {positions.map((position, k) => (
              <GridRow key={position} {...props} {...{ position, widest, template }} at={first + k} height={row} />
            ))}
          </div>
        </div>
      </div>
      {view.length === 0 && (
        <p class="empty">{shown.order.length === 0 ? 'Every item is removed.' : 'No item matches.'}</p>
      )}
    </div>
  );
}

interface RowProps extends GridProps {
  readonly position: number;
  /** Its place in the list. */
  readonly at: number;
  readonly widest: number;
  readonly template: string;
  /** In pixels. */
  readonly height: number;
}

/** A candidate: its rank, how far it moved, its score and what that is made of. */
function GridRow(props: RowProps) {
  const { model, shown, columns, position, at, widest, active, tray, open, template, height } = props;
  const row = model.ranking.rankedAt(shown.ranks[position]!);
  if (!row) return null;
  const { rank, score, id } = row;
  const state = position === active ? ' active' : tray.includes(position) ? ' other' : '';
  return (
    <div
      id={`row-${position}`}
      role="row"
      aria-rowindex={at + 2}
      aria-selected={position === active}
      class={`line${isSelected(shown, position) ? ' selected' : ''}${state}`}
      style={{ gridTemplateColumns: template, height: `${height}px` }}
      onClick={() => open(position)}
    >
      <span role="gridcell" />
      <span role="gridcell" class="number rank">
        {rank}
      </span>
      <Move before={model.baseline.ranks[position]!} rank={rank} />
      <span role="gridcell" class="id" title={id}>
        {id}
      </span>
      <span role="gridcell" class="number">
        {formatScore(score)}
      </span>
      <span role="gridcell">
        <ScoreBar {...{ model, position, score, widest }} />
      </span>
      {columns.map(({ key, title, numeric, valueOf }) => {
        const text = formatValue(valueOf(model.ranking, model.ranking.order[rank - 1]!), title);
        return (
          <span key={key} role="gridcell" class={numeric ? 'number' : ''} title={text}>
            {text}
          </span>
        );
      })}
    </div>
  );
}

/** How far a candidate moved from its rank in the baseline; `new` where it had none. */
function Move({ before, rank }: { before: number; rank: number }) {
  const moved = before - rank;
  const [way, text, said] =
    before === 0
      ? ['up', 'new', 'was not ranked']
      : moved > 0
        ? ['up', `▲ ${moved}`, `was ${ordinal(before)}`]
        : moved < 0
          ? ['down', `▼ ${-moved}`, `was ${ordinal(before)}`]
          : ['', '', ''];
  return (
    <span role="gridcell" class={`move ${way}`} title={said}>
      {text}
    </span>
  );
}

/** The place in the list to which a key leads from another. */
function rowTarget(key: string, at: number, visible: number, length: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    j: at + 1,
    k: at - 1,
    PageDown: at + visible - 2,
    PageUp: at - visible + 2,
    Home: 0,
    End: length - 1,
  };
  return targets[key];
}

const columnWidths = (columns: readonly ListColumn[]): string =>
  `var(--slopes) 2.75rem 3.5rem minmax(10.5rem, 2fr) 4rem minmax(9.5rem, 3fr) ${columns.map(() => 'minmax(5.5rem, 1fr)').join(' ')}`;
