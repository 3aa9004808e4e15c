import { useRef } from 'preact/hooks';
import { useUniqueId } from '../parts/unique-id.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatCount, ordinal } from '../parts/in-words.js';
import { keptOutBy } from '../why/not-shown.js';
import type { Moves } from './moved-items.js';

interface MovedProps {
  readonly model: StudioModel;
  readonly moves: Moves;
  readonly titleOf: (position: number) => string;
}

/** How many items that enter or leave are named. */
const NAMED = 6;

/** Who enters those that are shown, and who leaves, each with its place by score before and after. */
export function MovedLists({ model, moves, titleOf }: MovedProps) {
  const list = (title: string, positions: readonly number[]) =>
    positions.length > 0 && (
      <li>
        <b>{title}</b>{' '}
        {positions
          .slice(0, NAMED)
          .map((position) => `${titleOf(position)} (${moveWords(model, position)})`)
          .join(', ')}
        {positions.length > NAMED && ` and ${formatCount(positions.length - NAMED)} more`}
      </li>
    );
  return (
    <>
      {list('Enter:', moves.entered)}
      {list('Leave:', moves.left)}
    </>
  );
}

/** `29th → 1st by score`, or why it is not shown: `6th by score: 2 of Action are already shown`. */
function moveWords(model: StudioModel, position: number): string {
  const [before, now] = [model.baseline.ranks[position]!, model.shown.ranks[position]!];
  const reason = now > 0 ? keptOutBy(model, position) : undefined;
  if (reason !== undefined) return `${ordinal(now)} by score: ${reason}`;
  if (before === now) return now === 0 ? 'not ranked' : `still ${ordinal(now)} by score`;
  return `${placeOf(before)} → ${placeOf(now)}${now === 0 ? '' : ' by score'}`;
}

const placeOf = (rank: number): string => (rank === 0 ? 'removed' : ordinal(rank));

/** `4 enter the top 12`: opens the list of who enters and leaves. */
export function MovedButton({ model, moves, titleOf }: MovedProps) {
  const id = useUniqueId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { entered, left } = moves;
  const place = () => {
    const at = button.current?.getBoundingClientRect();
    const style = box.current?.style;
    if (!at || !style) return;
    style.left = `${Math.max(8, Math.min(at.left, innerWidth - 440))}px`;
    style.bottom = `${innerHeight - at.top + 6}px`;
  };
  const count = entered.length > 0 ? entered.length : left.length;
  const isOne = count === 1;
  return (
    <>
      <button ref={button} type="button" class="moved-button" popovertarget={id} onClick={place}>
        <b>{formatCount(count)}</b> {movedWords(moves, isOne)}
      </button>
      <div ref={box} id={id} popover="auto" class="glossary moved">
        <ul class="before-after">
          <MovedLists {...{ model, moves, titleOf }} />
        </ul>
      </div>
    </>
  );
}

/** `enter the top 12`; `are no longer shown` if the number of those that are shown has changed. */
function movedWords({ entered, top, isResized }: Moves, isOne: boolean): string {
  const [be, s] = isOne ? ['is', 's'] : ['are', ''];
  const isEntered = entered.length > 0;
  if (isResized) return `${be} ${isEntered ? 'newly' : 'no longer'} shown`;
  return isEntered ? `enter${s} the top ${top}` : `leave${s} the top ${top}`;
}
