import { useState } from 'preact/hooks';
import type { Kept } from '../model/history.js';
import { overlapOf } from '../model/overlap.js';
import { topOf } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { percent } from '../parts/in-words.js';

interface HistoryProps {
  readonly model: StudioModel;
  readonly report: (error: unknown) => void;
  /** Shows it beside what is shown now. */
  readonly compare: (kept: Kept) => void;
}

/** The rankings that were kept: each can be gone back to, be the baseline, or stand beside the one that is shown. */
export function HistoryPanel({ model, report, compare }: HistoryProps) {
  const [name, setName] = useState('');
  const keep = (event: Event) => {
    event.preventDefault();
    model.keep(name.trim() || `Kept ${model.history.kept.length + 1}`);
    setName('');
  };
  return (
    <section class="history" aria-label="History">
      <h2>History</h2>
      <form class="row" onSubmit={keep}>
        <input
          aria-label="Name of the current settings"
          placeholder="Name the current settings"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit">Keep</button>
      </form>
      <ul>
        {model.history.kept.map((kept) => (
          <KeptRow
            key={kept.key}
            {...{ model, kept }}
            compare={() => compare(kept)}
            goBack={() => void model.goBackTo(kept).catch(report)}
          />
        ))}
      </ul>
      <p class="note">Kept while this page is open.</p>
    </section>
  );
}

interface KeptProps {
  readonly model: StudioModel;
  readonly kept: Kept;
  readonly compare: () => void;
  readonly goBack: () => void;
}

function KeptRow({ model, kept, compare, goBack }: KeptProps) {
  const { name, snapshot, at, settings, version } = kept;
  const top = topOf(model.shown);
  const { shared, rbo } = overlapOf(snapshot.order, model.shown.order, top);
  const isBaseline = model.baseline === snapshot;
  const isEarlier = version !== undefined && version !== model.data.file?.version;
  const of = <span class="visually-hidden"> {name}</span>;
  return (
    <li>
      <div class="row">
        <b class="name" title={name}>
          <span>{name}</span>
        </b>
        {isBaseline && <span class="badge">baseline</span>}
        <time class="note" dateTime={new Date(at).toISOString()}>
          {new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
        </time>
      </div>
      <p class="note">
        {shared} of {top} in common, {percent(rbo)} % similar order
        {isEarlier && `; of an earlier version of the file`}
      </p>
      <div class="row">
        <button type="button" class="quiet" onClick={compare}>
          Side by side{of}
        </button>
        {!isBaseline && (
          <button type="button" class="quiet" onClick={() => model.pin(kept)}>
            Set as baseline{of}
          </button>
        )}
        {settings && (
          <button type="button" class="quiet" onClick={goBack}>
            Go back{of}
          </button>
        )}
      </div>
    </li>
  );
}
