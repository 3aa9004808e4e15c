import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Term } from '../glossary/term.js';
import { isOfFile } from '../model/history.js';
import type { StudioModel } from '../model/studio-model.js';
import { Live } from '../parts/live.js';
import { counted, percent } from '../parts/in-words.js';
import { NOTHING_SET } from '../settings/settings.js';
import { changeTexts, editTexts } from './change-words.js';
import { outsideChange } from './outside-change.js';
import type { Moves } from './moved-items.js';
import { MovedButton } from './moved-lists.js';
import type { QualityChange } from './quality-change.js';

interface BarProps {
  readonly model: StudioModel;
  readonly moves: Moves;
  readonly quality: QualityChange | undefined;
  /** What the file says, if it changed on disk while something was set. */
  readonly conflict: string;
  readonly endConflict: () => void;
  /** The text that confirms an action, such as a save; empty otherwise. */
  readonly done: string;
  readonly endDone: () => void;
  /** Whether a dialog shows an effect that is not confirmed. */
  readonly isPreview: boolean;
  readonly titleOf: (position: number) => string;
  readonly review: () => void;
  /** Shows the text of the file; undefined in a page that cannot edit the profile. */
  readonly showText: (() => void) | undefined;
  readonly canSave: boolean;
  readonly report: (error: unknown) => void;
}

/** How many structural edits are named, the last ones. */
const NAMED = 2;

/** What differs from the saved profile, and what that does; opens the review. */
export function ChangesBar(props: BarProps) {
  const { model, moves, quality, conflict, endConflict, done, endDone, isPreview, titleOf, review, canSave, report } =
    props;
  const count = changeTexts(model).length;
  const structural = editTexts(model);
  const reset = () => void model.set(NOTHING_SET).catch(report);
  const isMoved = moves.entered.length + moves.left.length > 0;
  const outside = outsideChange(model, moves);
  const baseline = model.baselineKept;
  const isSaved = !baseline || isOfFile(baseline);
  const against = isSaved ? 'the saved profile' : baseline.name;
  const effects: readonly ComponentChildren[] = [
    structural.length > 0 && (
      <span class="edits" title={structural.map(({ text }) => text).join('\n')}>
        {structural
          .slice(-NAMED)
          .map(({ text }) => text)
          .join(' · ')}
        {structural.length > NAMED && ` and ${structural.length - NAMED} more`}
      </span>
    ),
    isMoved && <MovedButton {...{ model, moves, titleOf }} />,
    percent(moves.similarity) < 100 && (
      <>
        <b>{percent(moves.similarity)} %</b> <Term of="similarity">similar order</Term>
      </>
    ),
    quality && quality.gain !== 0 && (
      <>
        <Term of="quality" />{' '}
        {quality.isSure ? <b class={quality.gain > 0 ? 'up' : 'down'}>{quality.text}</b> : <span>{quality.text}</span>}
      </>
    ),
  ];
  const shown = effects.filter(Boolean);
  return (
    <footer class={`changes${count > 0 ? ' some' : ''}`}>
      <section aria-label="Changes">
        {conflict !== '' && (
          <p class="conflict" role="status">
            <span>{conflict}</span>
            <button
              type="button"
              onClick={() => {
                endConflict();
                outside?.dismiss();
              }}
            >
              Keep yours
            </button>
            <button
              type="button"
              onClick={() => {
                endConflict();
                outside?.dismiss();
                reset();
              }}
            >
              Take theirs
            </button>
          </p>
        )}
        {model.typed !== undefined && props.showText && (
          <p class="conflict" role="status">
            <span>The text of the file that you typed is not valid yet, so it is not among the changes.</span>
            <button type="button" onClick={props.showText}>
              Show the text
            </button>
          </p>
        )}
        {done !== '' && <Notice text={done} end={endDone} takesFocus />}
        {outside && count === 0 && conflict === '' && <Notice text={outside.text} end={outside.dismiss} />}
        <div class="row">
          <p class="effects">
            <span class="count-of">
              {isPreview ? (
                <>
                  <b>Preview:</b> not yet among your changes
                </>
              ) : (
                <>
                  {count === 0 ? 'No changes' : <b>{counted(count, 'change')}</b>}
                  <span class={isSaved ? 'against' : ''}> against {against}</span>
                </>
              )}
            </span>
            {shown.map((effect, k) => (
              <span key={k} class="effect">
                {effect}
              </span>
            ))}
          </p>
          <span class="row buttons">
            <button type="button" disabled={!model.changed} onClick={reset}>
              Reset
            </button>
            <button type="button" class="primary" disabled={!model.changed} onClick={review}>
              {canSave ? 'Review and save…' : 'Review…'}
            </button>
          </span>
        </div>
        <Live
          text={
            done !== ''
              ? done
              : count === 0
                ? ''
                : summary(isPreview ? 'Preview' : counted(count, 'change'), moves, quality)
          }
        />
      </section>
    </footer>
  );
}

/** The same for screen readers. */
const summary = (start: string, { entered, top, isResized }: Moves, quality: QualityChange | undefined): string =>
  [
    start,
    isResized ? `${entered.length} newly shown` : `${entered.length} new in the top ${top}`,
    ...(quality && quality.gain !== 0 ? [`quality ${quality.text}`] : []),
  ].join(', ');

interface NoticeProps {
  readonly text: string;
  readonly end: () => void;
  /** Whether its button gets the focus that a closed dialog has lost. */
  readonly takesFocus?: boolean;
}

/** What has happened, until a person dismisses it. */
function Notice({ text, end, takesFocus = false }: NoticeProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The dialog that was open gives the focus to a button that is disabled by now.
    const { activeElement } = document;
    if (takesFocus && (activeElement === null || activeElement === document.body)) button.current?.focus();
  }, [text, takesFocus]);
  return (
    <p class="conflict notice" role="status">
      <span>{text}</span>
      <button ref={button} type="button" onClick={end}>
        Dismiss
      </button>
    </p>
  );
}
