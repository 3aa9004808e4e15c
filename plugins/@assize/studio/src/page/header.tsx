import type { ComponentChildren } from 'preact';
import type { Counts } from './model/counts.js';
import { linkTo } from './model/link.js';
import { overlapOf } from './model/overlap.js';
import { isSelected, type Snapshot, topOf } from './model/snapshot.js';
import type { StudioModel } from './model/studio-model.js';
import { formatNumber } from './parts/format.js';
import { QualityLine } from './queries/quality-line.js';
import { NOTHING_SET } from './settings/settings.js';

interface HeaderProps {
  readonly model: StudioModel;
  readonly shown: Snapshot;
  readonly counts: Counts;
  readonly report: (error: unknown) => void;
  /** Missing where nothing can be saved. */
  readonly save: (() => void) | undefined;
  /** More buttons. */
  readonly children: ComponentChildren;
}

/** What is shown, how it agrees with the baseline, and what can be done with it. */
export function Header({ model, shown, counts, report, save, children }: HeaderProps) {
  const act = (work: Promise<void>) => void work.catch(report);
  return (
    <header>
      <div class="row">
        <h1 title={model.data.title}>{model.data.title}</h1>
        <div class="row actions">
          <button type="button" disabled={!model.canUndo} onClick={() => act(model.undo())}>
            Undo
          </button>
          <button type="button" disabled={!model.canRedo} onClick={() => act(model.redo())}>
            Redo
          </button>
          <button type="button" disabled={!model.changed} onClick={() => act(model.set(NOTHING_SET))}>
            Reset
          </button>
          <button type="button" onClick={() => model.pin()}>
            Pin as baseline
          </button>
          <button
            type="button"
            onClick={() => void navigator.clipboard?.writeText(linkTo(model, location.href)).catch(report)}
          >
            Copy link
          </button>
          {children}
          {save && (
            <button type="button" class="primary" disabled={!model.changed} onClick={save}>
              Save…
            </button>
          )}
        </div>
      </div>
      {model.isBusy && <progress class="busy" aria-label="Recomputing scores" />}
      <div class="facts">
        <span>
          <b>{counts.ranked}</b> ranked
        </span>
        <span>
          <b>{counts.refused}</b> refused
        </span>
        {counts.ranked > 0 && <Agreement {...{ model, shown }} />}
        <QualityLine now={shown.quality} before={model.baseline.quality} />
      </div>
    </header>
  );
}

/** How many of those who came in are named. */
const NAMED = 3;

/** How the order agrees with the baseline, and who came in. */
function Agreement({ model, shown }: { model: StudioModel; shown: Snapshot }) {
  const { baseline, ranking } = model;
  const { shared, top, rbo } = overlapOf(baseline.order, shown.order, topOf(shown));
  const entered = [...(shown.selected ?? [])].filter((position) => !isSelected(baseline, position));
  const names = entered.slice(0, NAMED).map((position) => ranking.rankedAt(shown.ranks[position]!)?.id);
  const more = entered.length > NAMED ? ` and ${entered.length - NAMED} more` : '';
  return (
    <p aria-live="polite">
      <span title="The share of the top that is also in the top of the baseline">
        <b>
          {shared} of {top}
        </b>{' '}
        kept
      </span>
      <span title="Rank-biased overlap with the baseline: 1 is the same order, 0 has nothing in common">
        order <b>{formatNumber(rbo)}</b>
      </span>
      {entered.length > 0 && (
        <span class="entered">
          new: <b>{names.join(', ')}</b>
          {more}
        </span>
      )}
    </p>
  );
}
