import { Live } from '../parts/live.js';
import { counted, formatCount } from '../parts/in-words.js';
import type { Quality } from '../model/quality.js';
import type { TooFewGrades } from './enough-grades.js';
import type { Judging } from './judging.js';
import { gradeWord, type Scale, SCALES, scaleTo } from './scale.js';

interface BarProps {
  readonly judging: Judging;
  /** Undefined if one key cannot give each grade of the data. */
  readonly scale: Scale | undefined;
  readonly chooseScale: (most: number) => void;
  /** The id of the query, if there are several. */
  readonly queryName: string | undefined;
  /** The item that keys grade; undefined if no item is active. */
  readonly item: { readonly title: string; readonly grade: number | null } | undefined;
  readonly graded: number;
  readonly total: number;
  readonly quality: Quality;
  readonly tooFew: TooFewGrades | undefined;
  /** Grades the item and moves to the next; null removes its grade. */
  readonly grade: (grade: number | null) => void;
  readonly choosePairs: (() => void) | undefined;
  readonly findWeights: (() => void) | undefined;
  readonly end: () => void;
}

/** Grades the chosen item, and shows the progress and the quality by the grades so far. */
export function JudgeBar(props: BarProps) {
  const { judging, scale, queryName, item, graded, total, quality, tooFew, grade } = props;
  const progress = `${formatCount(graded)} of ${formatCount(total)} graded`;
  const [value] = quality.values();
  const { conflict, problem } = judging;
  return (
    <section class="judge" aria-label="Judge">
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {conflict && (
        <p class="conflict" role="alert">
          <span>{conflict.text}.</span>
          <button type="button" onClick={conflict.keep}>
            Keep yours
          </button>
          <button type="button" onClick={conflict.take}>
            Take theirs
          </button>
        </p>
      )}
      {scale ? (
        <div class="row">
          <div class="row grades" role="group" aria-label={item ? `Grade of ${item.title}` : 'Grade'}>
            {scale.words.map((word, k) => (
              <button
                key={word}
                type="button"
                disabled={!item || !judging.canGrade}
                aria-pressed={item?.grade === k}
                onClick={() => grade(k)}
              >
                <kbd aria-hidden="true">{k}</kbd> {word === String(k) ? <span class="visually-hidden">{k}</span> : word}
              </button>
            ))}
            <button
              type="button"
              class="quiet"
              disabled={!item || item.grade === null || !judging.canGrade}
              onClick={() => grade(null)}
            >
              Clear
            </button>
          </div>
          <label class="scale">
            Scale{' '}
            <select value={scale.most} onChange={(event) => props.chooseScale(Number(event.currentTarget.value))}>
              {[...new Set([...SCALES, scale.most])].map((most) => (
                <option key={most} value={most}>
                  {scaleTo(most).words.join(', ')}
                </option>
              ))}
            </select>
          </label>
        </div>
      ) : (
        <p>
          The data has grades that no key can give: they are not whole numbers from 0 to 9. To grade items here, start
          the studio without them.
        </p>
      )}
      <div class="row">
        <p class="facts">
          <b>{progress}</b>
          {queryName !== undefined && <span>for {queryName}</span>}
          {tooFew ? (
            <span>{tooFewText(tooFew)}</span>
          ) : (
            value !== undefined && (
              <span>
                quality <b>{value.toFixed(3)}</b>
              </span>
            )
          )}
          <span class="note">saved in {judging.file}</span>
        </p>
        <span class="row buttons">
          {props.choosePairs && (
            <button type="button" class="quiet" onClick={props.choosePairs}>
              Choose between pairs…
            </button>
          )}
          {props.findWeights && (
            <button type="button" class="quiet" onClick={props.findWeights}>
              Find best weights…
            </button>
          )}
          <button type="button" onClick={props.end}>
            Done
          </button>
        </span>
      </div>
      <Live text={item ? spokenText(item, scale, progress) : progress} />
    </section>
  );
}

/** For screen readers: the item that the keys grade now. */
function spokenText(
  { title, grade }: NonNullable<BarProps['item']>,
  scale: Scale | undefined,
  progress: string,
): string {
  return `${title}: ${grade === null ? 'no grade' : gradeWord(grade, scale)}. ${progress}.`;
}

/** `3 more of the first 10 for the quality`. */
const tooFewText = ({ more, ranks, areSame }: TooFewGrades): string =>
  more > 0
    ? `${counted(more, 'more grade')} among the first ${ranks} ${more === 1 ? 'shows' : 'show'} the quality`
    : areSame
      ? 'a different grade shows the quality'
      : '';
