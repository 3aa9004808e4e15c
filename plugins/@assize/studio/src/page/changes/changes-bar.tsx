import type { ComponentChildren } from 'preact';
import { Term } from '../glossary/term.js';
import type { StudioModel } from '../model/studio-model.js';
import { Live } from '../parts/live.js';
import { counted, percent } from '../parts/in-words.js';
import { NOTHING_SET } from '../settings/settings.js';
import { changeTexts, editTexts } from './change-words.js';
import type { Moves } from './moved-items.js';
import type { QualityChange } from './quality-change.js';

interface BarProps {
  readonly model: StudioModel;
  readonly moves: Moves;
  readonly quality: QualityChange | undefined;
  /** What the file says, if it changed on disk while something was set. */
  readonly conflict: string;
  readonly endConflict: () => void;
  readonly review: () => void;
  readonly canSave: boolean;
  readonly report: (error: unknown) => void;
}

/** How many structural edits are named, the last ones. */
const NAMED = 2;

/** What differs from the saved profile, and what that does; opens the review. */
export function ChangesBar(props: BarProps) {
  const { model, moves, quality, conflict, endConflict, review, canSave, report } = props;
  const count = changeTexts(model).length;
  const structural = editTexts(model);
  const reset = () => void model.set(NOTHING_SET).catch(report);
  const entered = moves.entered.length;
  const baseline = model.baselineKept;
  const isSaved = !baseline || ['opened', 'saved', 'reloaded'].includes(baseline.for);
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
    entered > 0 && (
      <>
        <b>{entered}</b>{' '}
        <Term of="newInTop">
          {entered === 1 ? 'enters' : 'enter'} the top {moves.top}
        </Term>
      </>
    ),
    percent(moves.similarity) < 100 && (
      <>
        <b>{percent(moves.similarity)} %</b> <Term of="similarity">similar order</Term>
      </>
    ),
    quality && quality.gain !== 0 && (
      <>
        <Term of="quality" /> <b class={quality.gain > 0 ? 'up' : 'down'}>{quality.text}</b>
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
            <button type="button" onClick={endConflict}>
              Keep yours
            </button>
            <button
              type="button"
              onClick={() => {
                endConflict();
                reset();
              }}
            >
              Take theirs
            </button>
          </p>
        )}
        <div class="row">
          <p class="effects">
            <span class="count-of">
              {count === 0 ? 'No changes' : <b>{counted(count, 'change')}</b>}
              <span class={isSaved ? 'against' : ''}> against {against}</span>
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
        <Live text={count === 0 ? '' : summary(count, moves, quality)} />
      </section>
    </footer>
  );
}

/** The same for screen readers. */
const summary = (count: number, { entered, top }: Moves, quality: QualityChange | undefined): string =>
  [
    counted(count, 'change'),
    `${entered.length} new in the top ${top}`,
    ...(quality && quality.gain !== 0 ? [`quality ${quality.text}`] : []),
  ].join(', ');
