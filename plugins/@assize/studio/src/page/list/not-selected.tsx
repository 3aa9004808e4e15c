import { useState } from 'preact/hooks';
import type { Counts } from '../model/counts.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatCount, inWords, plainName } from '../parts/in-words.js';
import { removalReason } from '../why/removal-reason.js';

/** How many examples of a reason are listed. */
const EXAMPLES = 20;

/** The reasons of steps of `select`, in words. */
const REASONS: Readonly<Record<string, string>> = {
  top: 'Below the top',
  min_score: 'Below the least score',
  per: 'Enough of its group',
  per_before: 'Enough of its group on earlier pages',
  offset: 'On earlier pages',
  duplicate: 'Duplicates',
};

interface NotSelectedProps {
  readonly model: StudioModel;
  readonly counts: Counts;
  readonly choose: (position: number) => void;
}

/** A candidate, and why it is where it is. */
interface Reasoned {
  readonly id: string;
  readonly index: number;
  /** What it is listed under. */
  readonly group: string;
  /** In words: computed when it is shown. */
  readonly text: () => string;
}

/** The items that are pinned, below the cut, or removed, by reason, with examples: made when it is opened. */
export function NotSelected({ model, counts, choose }: NotSelectedProps) {
  const { ranking } = model;
  const pinned = (): Reasoned[] =>
    ranking.selected
      .filter(({ because }) => because === 'pinned')
      .map(({ id, index }) => ({ id, index, group: 'Shown whatever their score', text: () => '' }));
  const notSelected = (): Reasoned[] =>
    ranking.notSelected.map((row) => ({
      id: row.id,
      index: row.index,
      group: REASONS[row.reason] ?? inWords(row.reason),
      text: () => row.text,
    }));
  const refused = (): Reasoned[] =>
    ranking.refused.map((row) => ({
      id: row.id,
      index: row.index,
      group: plainName(model, row.by),
      text: () => removalReason(model, row),
    }));
  return (
    <div class="not-selected">
      <Kind title="Pinned" count={counts.pinned} rows={pinned} choose={choose} />
      <Kind title="Below the cut" count={counts.notSelected} rows={notSelected} choose={choose} />
      <Kind title="Removed by a rule" count={counts.refused} rows={refused} choose={choose} />
    </div>
  );
}

interface KindProps {
  readonly title: string;
  readonly count: number;
  readonly rows: () => readonly Reasoned[];
  readonly choose: (position: number) => void;
}

function Kind({ title, count, rows, choose }: KindProps) {
  const [open, setOpen] = useState(false);
  if (count === 0) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} <span class="count">{formatCount(count)}</span>
      </summary>
      {open &&
        [...grouped(rows())].map(([group, own]) => (
          <details key={group}>
            <summary>
              {group} <span class="count">{formatCount(own.length)}</span>
            </summary>
            <ul>
              {own.slice(0, EXAMPLES).map(({ id, index, text }) => (
                <li key={index}>
                  <button type="button" class="quiet id" onClick={() => choose(index)}>
                    {id}
                  </button>{' '}
                  <span class="note">{text()}</span>
                </li>
              ))}
              {own.length > EXAMPLES && <li class="note">and {own.length - EXAMPLES} more</li>}
            </ul>
          </details>
        ))}
    </details>
  );
}

function grouped(rows: readonly Reasoned[]): ReadonlyMap<string, readonly Reasoned[]> {
  const groups = new Map<string, Reasoned[]>();
  for (const row of rows) {
    const group = groups.get(row.group);
    if (group) group.push(row);
    else groups.set(row.group, [row]);
  }
  return groups;
}
