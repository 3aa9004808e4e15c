import { useRef } from 'preact/hooks';
import { Term } from '../glossary/term.js';
import { Slopes } from '../list/slopes.js';
import { overlapOf } from '../model/overlap.js';
import { isSelected, type Snapshot, topOf } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { percent } from '../parts/in-words.js';
import { useRowWindow } from '../parts/row-window.js';
import type { SeveralQueries } from '../queries/several-queries.js';
import { ListQuality, type ShownSide, SidesQuality } from './sides-quality.js';

/** The height of a row, in pixels. */
const ROW = 30;

/** What stands on a side: something kept, by its key, or what is shown now. */
export type Side = number | 'now';

interface SidesProps {
  readonly model: StudioModel;
  readonly sides: readonly [left: Side, right: Side];
  readonly change: (sides: readonly [Side, Side]) => void;
  readonly active: number | undefined;
  readonly choose: (position: number) => void;
  /** Where the page has several queries: those, which both sides are measured by. */
  readonly queries: SeveralQueries | undefined;
  readonly report: (error: unknown) => void;
}

/** Two orders of the same candidates side by side, and a line between the two places of each. */
export function SideBySide({ model, sides, change, active, choose, queries, report }: SidesProps) {
  const box = useRef<HTMLDivElement>(null);
  const [left, right] = [shownSide(model, sides[0]), shownSide(model, sides[1])];
  const [a, b] = [left.snapshot, right.snapshot];
  const length = Math.max(a.order.length, b.order.length);
  const { first, count, height, top, onScroll } = useRowWindow(box, length, ROW);
  const row = { model, a, b, active, choose };
  return (
    <>
      <div class="tools row">
        <SideChoice {...{ model }} name="Left" side={sides[0]} choose={(side) => change([side, sides[1]])} />
        <SideChoice {...{ model }} name="Right" side={sides[1]} choose={(side) => change([sides[0], side])} />
      </div>
      <Agreement {...{ model, a, b }} />
      {queries ? (
        <SidesQuality {...{ model, queries, left, right, report }} />
      ) : (
        <ListQuality {...{ model, left, right }} />
      )}
      <div ref={box} class="grid" role="region" tabIndex={0} aria-label="Side by side" onScroll={onScroll}>
        <div role="table" aria-label="Two orders" aria-rowcount={length} class="rows" style={{ height: `${height}px` }}>
          <div role="presentation" class="window sides" style={{ top: `${top}px` }}>
            <Slopes before={a} now={b} first={first} count={count} row={ROW} marked={[active]} />
            {Array.from({ length: count }, (_, k) => (
              <SideRow key={first + k} {...row} at={first + k} />
            ))}
          </div>
        </div>
      </div>
    </>
  );
}

function shownSide(model: StudioModel, side: Side): ShownSide {
  const kept = side === 'now' ? undefined : model.history.kept.find(({ key }) => key === side);
  return { kept, snapshot: kept?.snapshot ?? model.shown };
}

interface ChoiceProps {
  readonly model: StudioModel;
  readonly name: string;
  readonly side: Side;
  readonly choose: (side: Side) => void;
}

function SideChoice({ model, name, side, choose }: ChoiceProps) {
  return (
    <label class="side">
      <span class="visually-hidden">{name}</span>
      <select
        value={String(side)}
        onChange={({ currentTarget: { value } }) => choose(value === 'now' ? 'now' : Number(value))}
      >
        <option value="now">Current settings</option>
        {model.history.kept.map(({ key, name: title }) => (
          <option key={key} value={String(key)}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** How many of those that are only on one side are named. */
const NAMED = 5;

/** How much the two have in common, and who is selected on one side alone. */
function Agreement({ model, a, b }: { model: StudioModel; a: Snapshot; b: Snapshot }) {
  const { shared, top, rbo } = overlapOf(a.order, b.order, topOf(b));
  const alone = (one: Snapshot, other: Snapshot): string => {
    const first = one.order.subarray(0, top).filter((position) => !other.order.subarray(0, top).includes(position));
    const names = Array.from(first.subarray(0, NAMED), (position) => model.idOf(position)).join(', ');
    return first.length > NAMED ? `${names} and ${first.length - NAMED} more` : names;
  };
  const [left, right] = [alone(a, b), alone(b, a)];
  return (
    <div class="facts sides-facts">
      <span>
        <b>
          {shared} of {top}
        </b>{' '}
        in common
      </span>
      <span>
        <b>{percent(rbo)} %</b> <Term of="similarity">similar order</Term>
      </span>
      {left !== '' && <span>only left: {left}</span>}
      {right !== '' && <span>only right: {right}</span>}
    </div>
  );
}

interface SideRowProps extends Pick<SidesProps, 'model' | 'active' | 'choose'> {
  readonly a: Snapshot;
  readonly b: Snapshot;
  /** The rank, from 0. */
  readonly at: number;
}

function SideRow({ model, a, b, at, active, choose }: SideRowProps) {
  const cell = (snapshot: Snapshot, side: 'left' | 'right') => {
    const position = snapshot.order[at];
    if (position === undefined) return <span role="cell" class={`side-${side}`} />;
    const state = `${isSelected(snapshot, position) ? ' selected' : ''}${position === active ? ' active' : ''}`;
    const moved = side === 'right' ? a.ranks[position]! - (at + 1) : 0;
    return (
      <span role="cell" class={`side-${side}${state}`}>
        <button type="button" class="quiet id" title={model.idOf(position)} onClick={() => choose(position)}>
          {model.idOf(position)}
        </button>
        {side === 'right' && a.ranks[position] === 0 && <span class="move up">new</span>}
        {side === 'right' && a.ranks[position]! > 0 && moved !== 0 && (
          <span class={`move ${moved > 0 ? 'up' : 'down'}`}>{moved > 0 ? `▲ ${moved}` : `▼ ${-moved}`}</span>
        )}
      </span>
    );
  };
  return (
    <div role="row" aria-rowindex={at + 1} class="line" style={{ height: `${ROW}px` }}>
      <span role="rowheader" class="number rank">
        {at + 1}
      </span>
      {cell(a, 'left')}
      <span role="presentation" />
      {cell(b, 'right')}
    </div>
  );
}
