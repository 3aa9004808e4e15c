import { gradeWord, type Scale } from '../judge/scale.js';
import { ScoreBar } from '../list/score-bar.js';
import { isSelected, type Snapshot } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatNumber } from '../parts/format.js';
import { ordinal } from '../parts/in-words.js';
import type { CardText } from './card-fields.js';
import { CardImage } from './card-image.js';

interface CardProps {
  readonly model: StudioModel;
  readonly shown: Snapshot;
  readonly position: number;
  readonly text: CardText;
  /** Its place on the shelf, from 0, and how many there are. */
  readonly at: number;
  readonly of: number;
  readonly above: boolean;
  readonly widest: number;
  readonly isActive: boolean;
  readonly isMarked: boolean;
  readonly open: (position: number) => void;
  /** In the mode in which items are graded; otherwise a click opens the item. */
  readonly judge: CardJudge | undefined;
}

/** The grades that a card offers. */
export interface CardJudge {
  readonly scale: Scale | undefined;
  /** Grades an item and moves to the next; null removes its grade. */
  readonly grade: (position: number, grade: number | null) => void;
  readonly choose: (position: number) => void;
}

/** An item: its place, where it was, and what its score is made from. */
export function Card(props: CardProps) {
  const { model, shown, position, text, at, of, above, widest, isActive, isMarked, open, judge } = props;
  const rank = shown.ranks[position]!;
  const row = model.ranking.rankedAt(rank);
  const title = text.title ?? row?.id ?? model.idOf(position);
  const grade = model.data.grades?.[position];
  const state = `${above ? '' : ' below'}${isActive ? ' active' : ''}${isMarked ? ' marked' : ''}`;
  return (
    <div
      id={`card-${position}`}
      role="option"
      aria-selected={isActive}
      aria-posinset={at + 1}
      aria-setsize={of}
      class={`card${state}`}
      onClick={(event) => {
        const given = judge && gradeAt(event.target);
        if (given !== undefined) judge?.grade(position, given === grade ? null : given);
        else if (judge) judge.choose(position);
        else open(position);
      }}
    >
      <CardImage address={text.image} title={title} />
      <span class="card-rank">{rank > 0 ? rank : 'pinned'}</span>
      <span class="card-text">
        <b class="card-title" title={title}>
          {title}
        </b>
        {text.subtitle !== '' && (
          <span class="card-subtitle" title={text.subtitle}>
            {text.subtitle}
          </span>
        )}
        <span class="card-facts">
          <Was before={model.baseline.ranks[position]!} rank={rank} entered={isEntered(model, shown, position)} />
          {typeof grade === 'number' && (
            <span class={judge?.scale ? 'visually-hidden' : 'grade'}>
              {judge ? gradeWord(grade, judge.scale) : `grade ${formatNumber(grade)}`}
            </span>
          )}
        </span>
      </span>
      {judge?.scale && <GradeCells scale={judge.scale} grade={grade} />}
      {row && !judge && <ScoreBar {...{ model, position, widest }} score={row.score} />}
    </div>
  );
}

/** The grades to click. Keys and screen readers use the buttons above the items. */
const GradeCells = ({ scale, grade }: { readonly scale: Scale; readonly grade: number | null | undefined }) => (
  <span class="grade-cells" aria-hidden="true">
    {scale.words.map((word, k) => (
      <span key={word} data-grade={k} title={word} class={grade === k ? 'given' : ''}>
        {k}
      </span>
    ))}
    {typeof grade === 'number' && <span class="grade">{gradeWord(grade, scale)}</span>}
  </span>
);

/** The grade of a cell; undefined elsewhere. */
function gradeAt(target: EventTarget | null): number | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-grade]') : null;
  return cell ? Number(cell.dataset['grade']) : undefined;
}

const isEntered = ({ baseline }: StudioModel, shown: Snapshot, position: number): boolean =>
  shown.selected !== undefined && isSelected(shown, position) && !isSelected(baseline, position);

interface WasProps {
  readonly before: number;
  readonly rank: number;
  /** Whether it is new among those that are shown. */
  readonly entered: boolean;
}

/** Where an item was before: `▲ was 12th`. */
function Was({ before, rank, entered }: WasProps) {
  if (rank === 0 || before === rank) return null;
  const way = before === 0 || before > rank ? 'up' : 'down';
  return (
    <span class={`was ${way}`}>
      <span aria-hidden="true">{way === 'up' ? '▲' : '▼'}</span>{' '}
      {before === 0 ? 'was removed' : `was ${ordinal(before)}`}
      {entered && (
        <>
          {' '}
          <span class="tag">now shown</span>
        </>
      )}
    </span>
  );
}
