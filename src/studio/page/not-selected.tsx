import { useState } from 'preact/hooks';
import type { Snapshot } from './snapshot.js';
import type { StudioModel } from './studio-model.js';

/** How many examples of a reason are listed. */
const EXAMPLES = 20;

interface NotSelectedProps {
  readonly model: StudioModel;
  readonly shown: Snapshot;
  readonly choose: (position: number) => void;
}

/** What was refused, by the entry that did, with examples: made when it is opened. */
export function NotSelected({ model, shown, choose }: NotSelectedProps) {
  const [open, setOpen] = useState(false);
  const count = model.data.candidates.length - shown.order.length;
  if (count === 0) return null;
  return (
    <details class="refused" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Refused: {count}</summary>
      {open &&
        [...refusedBy(model)].map(([by, rows]) => (
          <details key={by}>
            <summary>
              {by}: {rows.length}
            </summary>
            <ul>
              {rows.slice(0, EXAMPLES).map(({ id, index, reason }) => (
                <li key={index}>
                  <button type="button" class="quiet" onClick={() => choose(index)}>
                    {id}
                  </button>
                  : {reason}
                </li>
              ))}
            </ul>
          </details>
        ))}
    </details>
  );
}

type Refused = StudioModel['ranking']['refused'][number];

function refusedBy({ ranking }: StudioModel): ReadonlyMap<string, readonly Refused[]> {
  const groups = new Map<string, Refused[]>();
  for (const row of ranking.refused) {
    const group = groups.get(row.by);
    if (group) group.push(row);
    else groups.set(row.by, [row]);
  }
  return groups;
}
