import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { colourOf, formatNumber, formatValue } from './format.js';
import type { Snapshot } from './snapshot.js';
import type { StudioModel } from './studio-model.js';

/** The height of a row, in pixels. */
const ROW = 28;
/** Browsers draw no element that is higher than some 33 million pixels: beyond, scrolling is scaled. */
const MOST_HEIGHT = 30_000_000;
/** The width of the strip of slopes, in pixels. */
const SLOPES = 60;

interface GridProps {
  readonly model: StudioModel;
  readonly shown: Snapshot;
  /** The positions of the candidates to list, in order. */
  readonly view: ArrayLike<number>;
  readonly fields: readonly string[];
  readonly active: number | undefined;
  readonly other: number | undefined;
  readonly choose: (position: number) => void;
  readonly chooseOther: (position: number) => void;
}

/** The list: only the rows that can be seen are in the document, so that a million take no longer than a hundred. */
export function ResultGrid(props: GridProps) {
  const { model, view, fields, active, choose, chooseOther } = props;
  const box = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const [visible, setVisible] = useState(20);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setVisible(Math.ceil(element.clientHeight / ROW) + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  const height = Math.min(view.length * ROW, MOST_HEIGHT);
  const scale = (view.length * ROW) / Math.max(height, 1);
  const first = Math.max(0, Math.min(Math.floor((scrolled * scale) / ROW), view.length - visible + 1));
  const positions = Array.from({ length: Math.min(visible, view.length - first) }, (_, k) => view[first + k]!);
  const at = useMemo(() => placesOf(view, active), [view, active]);
  const move = (to: number) => {
    const next = Math.max(0, Math.min(to, view.length - 1));
    const position = view[next];
    if (position === undefined) return;
    choose(position);
    const top = (next * ROW) / scale;
    const element = box.current!;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + 2 * ROW > element.scrollTop + element.clientHeight)
      element.scrollTop = top + 2 * ROW - element.clientHeight;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + visible - 2,
      PageUp: at - visible + 2,
      Home: 0,
      End: view.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) move(to);
    else if (event.key === 'c' && active !== undefined) chooseOther(active);
    else return;
    event.preventDefault();
  };
  const widest = useMemo(() => mostOf(model.ranking.matrix.totals), [model.ranking]);
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label="Candidates, best first"
      aria-rowcount={view.length + 1}
      aria-activedescendant={active === undefined ? undefined : `row-${active}`}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div class="head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: columnsOf(fields) }}>
        {['', '#', 'moved', 'id', 'score', 'made of', ...fields].map((title, k) => (
          <span key={k} role="columnheader">
            {title === '' ? <span class="visually-hidden">slope</span> : title}
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: `${height}px`, position: 'relative' }}>
        <div style={{ position: 'absolute', insetInline: 0, top: `${(first * ROW) / scale}px` }}>
          {positions.map((position, k) => (
            <Row key={position} {...props} position={position} at={first + k} widest={widest} />
          ))}
        </div>
      </div>
    </div>
  );
}

interface RowProps extends GridProps {
  readonly position: number;
  /** Its place in the list. */
  readonly at: number;
  readonly widest: number;
}

function Row({ model, shown, fields, position, at, widest, active, other, choose }: RowProps) {
  const candidate = model.data.candidates[position] as Readonly<Record<string, unknown>>;
  const row = model.ranking.rankedAt(shown.ranks[position]!);
  if (!row) return null;
  const { rank, score, id } = row;
  const before = model.baseline.ranks[position]!;
  const moved = before === 0 ? 0 : before - rank;
  const state = position === active ? ' active' : position === other ? ' other' : '';
  return (
    <div
      id={`row-${position}`}
      role="row"
      aria-rowindex={at + 2}
      aria-selected={position === active}
      class={`line${shown.selected.has(position) ? ' selected' : ''}${state}`}
      style={{ gridTemplateColumns: columnsOf(fields), height: `${ROW}px` }}
      onClick={() => choose(position)}
    >
      <span role="gridcell" aria-hidden="true">
        <Slope from={before === 0 ? undefined : before - 1 - (rank - 1)} />
      </span>
      <span role="gridcell" class="number">
        {rank}
      </span>
      <span role="gridcell" class={`move ${moved > 0 ? 'up' : moved < 0 ? 'down' : ''}`}>
        {moved === 0 ? '' : moved > 0 ? `▲ ${moved}` : `▼ ${-moved}`}
      </span>
      <span role="gridcell" class="id" title={id}>
        {id}
      </span>
      <span role="gridcell" class="number">
        {formatNumber(score)}
      </span>
      <span role="gridcell">
        <Bar model={model} position={position} score={score} widest={widest} />
      </span>
      {fields.map((field) => (
        <span key={field} role="gridcell" class="field" title={formatValue(candidate[field])}>
          {formatValue(candidate[field])}
        </span>
      ))}
    </div>
  );
}

/** A line from where the candidate was in the baseline to where it is. */
function Slope({ from }: { from: number | undefined }) {
  if (from === undefined || from === 0) return null;
  const reach = Math.max(-40, Math.min(40, from)) * ROW;
  return (
    <svg class="slope" width={SLOPES} height={ROW} overflow="visible">
      <line x1={0} y1={ROW / 2 + reach} x2={SLOPES} y2={ROW / 2} class={from > 0 ? 'up' : 'down'} />
    </svg>
  );
}

/** Percent of its column that the greatest score takes: beside it stands how many scorers gave a number. */
const BAR_SHARE = 88;

/** What the score is made of: a segment for each scorer's part, and what the rules did hatched. */
function Bar({
  model,
  position,
  score,
  widest,
}: {
  model: StudioModel;
  position: number;
  score: number;
  widest: number;
}) {
  const terms = model.ranking.terms({ index: position });
  if (!terms) return null;
  const all = model.scorers.map(({ id }) => id);
  const parts = Object.entries(terms.contributions ?? {}).filter(([, part]) => part !== null && part > 0);
  const present = Object.values(terms.scores).filter((one) => one !== null).length;
  const byRules = terms.combined === undefined ? 0 : score - terms.combined;
  const width = (part: number) => `${(BAR_SHARE * Math.abs(part)) / widest}%`;
  return (
    <span class="bar">
      {parts.map(([id, part]) => (
        <i
          key={id}
          style={{ width: width(part!), background: colourOf(all.indexOf(id)) }}
          title={`${id} ${formatNumber(part!)}`}
        />
      ))}
      {byRules !== 0 && (
        <i
          class={`rules ${byRules > 0 ? 'plus' : 'minus'}`}
          style={{ width: width(byRules) }}
          title={`rules ${formatNumber(byRules)}`}
        />
      )}
      {present < all.length && (
        <small>
          {present}/{all.length}
        </small>
      )}
    </span>
  );
}

const columnsOf = (fields: readonly string[]): string =>
  `${SLOPES}px 4.5em 5em minmax(8em, 2fr) 5em minmax(10em, 3fr) ${fields.map(() => 'minmax(5em, 1fr)').join(' ')}`;

/** Where a candidate is in the list; −1 where it is not. */
function placesOf(view: ArrayLike<number>, position: number | undefined): number {
  for (let k = 0; k < view.length; k++) if (view[k] === position) return k;
  return -1;
}

/** The greatest score, which a full bar stands for. */
function mostOf(totals: Float64Array): number {
  let most = 0;
  for (const total of totals) if (total > most) most = total;
  return most || 1;
}
