import { useEffect, useRef } from 'preact/hooks';
import type { Explanation } from 'assize/browser';
import type { StudioModel } from '../model/studio-model.js';
import { formatNumber } from '../parts/format.js';
import { Live } from '../parts/live.js';
import { listed, ordinal, plainName } from '../parts/in-words.js';
import { CardImage } from '../shelf/card-image.js';
import type { Cards } from '../shelf/use-card-fields.js';
import { AllDetails } from './all-details.js';
import { CompareTray, MOST_COMPARED } from './compare-tray.js';
import { useWithout } from './use-without.js';
import { verdictOf } from './verdict.js';
import { Waterfall } from './waterfall.js';
import { Ways } from './ways.js';

interface DrawerProps {
  readonly model: StudioModel;
  readonly position: number;
  readonly cards: Cards;
  /** The items that are compared. */
  readonly tray: readonly number[];
  /** What the classes of the profile noted, from where they can run. */
  readonly details: ((position: number) => Promise<Explanation>) | undefined;
  /** Adds an item to those that are compared, or removes it. */
  readonly mark: (position: number) => void;
  readonly report: (error: unknown) => void;
}

/** An item: why it is where it is, in a sentence, as a waterfall, and in all details. */
export function ItemDrawer({ model, position, cards, tray, details, mark, report }: DrawerProps) {
  const top = useRef<HTMLElement>(null);
  useEffect(() => top.current?.parentElement?.scrollTo(0, 0), [position]);
  const titleOf = (one: number): string => cards.read(model.data.candidates[one]!).title ?? model.idOf(one);
  const { subtitle, image } = cards.read(model.data.candidates[position]!);
  const title = titleOf(position);
  const verdict = verdictOf(model, position, titleOf);
  const isMarked = tray.includes(position);
  const compared = isMarked || tray.length === MOST_COMPARED ? tray : tray.length === 0 ? [] : [...tray, position];
  const grade = model.data.grades?.[position];
  return (
    <section ref={top} class="why" aria-label={`Why ${model.idOf(position)}`}>
      <div class="item-head">
        <CardImage address={image} title={title} />
        <div>
          <h2>{title}</h2>
          {subtitle !== '' && <p class="note">{subtitle}</p>}
        </div>
      </div>
      <p class="verdict">{verdict}</p>
      <Live text={verdict} />
      <Removed {...{ model, position, report }} />
      {typeof grade === 'number' && <p class="note">People graded it {formatNumber(grade)}.</p>}
      <Waterfall {...{ model, position }} />
      <div class="row item-actions">
        <button
          type="button"
          aria-pressed={isMarked}
          disabled={!isMarked && tray.length === MOST_COMPARED}
          onClick={() => mark(position)}
        >
          {isMarked ? 'In the comparison' : tray.length > 0 ? 'Keep in the comparison' : 'Compare'}
        </button>
        <Ways {...{ model, position, report }} />
      </div>
      {tray.length === 1 && isMarked && <p class="note">Choose another item to compare the two.</p>}
      <CompareTray {...{ model, titleOf, report }} positions={compared} remove={mark} />
      <AllDetails {...{ model, position, details }} />
    </section>
  );
}

interface RemovedProps {
  readonly model: StudioModel;
  readonly position: number;
  readonly report: (error: unknown) => void;
}

const NO_RULES: readonly string[] = [];

/** Of a removed item: the rank that it would have without the rules that remove it, and a button that switches them off. */
function Removed({ model, position, report }: RemovedProps) {
  const isRanked = model.shown.ranks[position]! > 0;
  const outcome = isRanked ? undefined : model.ranking.explain({ index: position }).outcome;
  const rules = outcome?.kind === 'refused' ? [...new Set(outcome.all.map(({ by }) => by))] : NO_RULES;
  const without = useWithout(model, position, rules);
  if (!without) return null;
  const names = listed(rules.map((id) => plainName(model, id)));
  if (without.rank === 0) {
    return (
      <p class="would-be">
        Would still be removed without <i>{names}</i>, by another rule.
      </p>
    );
  }
  return (
    <p class="row would-be">
      <span>
        Would be <b>{ordinal(without.rank)}</b> without <i>{names}</i>.
      </span>
      <button type="button" onClick={() => void model.set(without.settings).catch(report)}>
        Switch off<span class="visually-hidden"> {names} for all items</span>
      </button>
    </p>
  );
}
