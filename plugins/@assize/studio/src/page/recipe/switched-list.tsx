import type { ComponentChildren } from 'preact';
import type { Edit } from '../add/edited.js';
import { Term } from '../glossary/term.js';
import type { StudioModel } from '../model/studio-model.js';
import { useExpert } from '../parts/expert.js';
import { counted, formatCount, plainName, spokenName } from '../parts/in-words.js';
import { entriesOf, type Entry, isOn, type Settings, withToggle } from '../settings/settings.js';
import { EditButton } from './edit-button.js';
import { EntryParams } from './entry-params.js';
import { entryAnchor } from './show-entry.js';

interface SwitchedProps {
  readonly model: StudioModel;
  readonly change: (settings: Settings, dropped: boolean) => void;
  readonly edit: Edit | undefined;
}

/** The rules that remove items, each with how many it removes now. */
export function Removals({ model, change, edit }: SwitchedProps) {
  const counts = model.ranker.refusalsByVeto;
  return (
    <SwitchedList
      {...{ model, change, edit }}
      list="tier1_scorers"
      title={<Term of="removed">Removals</Term>}
      lead="Must not:"
    >
      {(id) => <>removes {formatCount(counts.get(id) ?? 0)} now</>}
    </SwitchedList>
  );
}

/** The rules that raise or lower scores, each with how many items it applies to. */
export function Boosts({ model, change, edit }: SwitchedProps) {
  const { matrix } = model.ranking;
  const firedBy = (id: string): number =>
    matrix.rules.includes(id) ? matrix.rule(id).fired.reduce((sum, fired) => sum + fired, 0) : 0;
  return (
    <SwitchedList {...{ model, change, edit }} list="adjustments" title={<Term of="boost">Boosts</Term>} lead="Boost:">
      {(id, entry) => (
        <>
          {effectOf(entry)} for {counted(firedBy(id), 'item')} now
        </>
      )}
    </SwitchedList>
  );
}

/** What a boost does to a score. */
function effectOf({ add, multiply }: Entry): string {
  if (typeof add === 'number') return add < 0 ? `takes ${-add}` : `adds ${add}`;
  return typeof multiply === 'number' ? `× ${multiply}` : 'applies';
}

interface ListProps extends SwitchedProps {
  readonly list: 'adjustments' | 'tier1_scorers';
  readonly title: ComponentChildren;
  /** The first words of each sentence. */
  readonly lead: string;
  /** The last words. */
  readonly children: (id: string, entry: Entry) => ComponentChildren;
}

function SwitchedList({ model, change, edit, list, title, lead, children }: ListProps) {
  const expert = useExpert();
  const entries = entriesOf(model.data.profile, list);
  if (entries.length === 0) return null;
  return (
    <section class="switches">
      <h2>{title}</h2>
      <ul>
        {entries.map((entry) => {
          const id = String(entry['id']);
          const off = !isOn(model.settings, entry);
          const unit = technicalOf(model, entry);
          return (
            <li key={id} id={entryAnchor(id)} class={off ? 'off' : ''}>
              <div class="row">
                <label class="sentence">
                  <input
                    type="checkbox"
                    class="switch"
                    aria-label={spokenName(model, id)}
                    aria-describedby={`${entryAnchor(id)}-effect`}
                    checked={!off}
                    disabled={!model.ranker.canSwitch(entry)}
                    onChange={() => change(withToggle(model.settings, entry), true)}
                  />
                  <span>
                    {lead}{' '}
                    <b class="name" title={`${id}: ${unit}`}>
                      {plainName(model, id)}
                    </b>{' '}
                    <small id={`${entryAnchor(id)}-effect`}>{off ? 'switched off' : children(id, entry)}</small>
                  </span>
                </label>
                <EditButton {...{ edit }} name={spokenName(model, id)} edited={{ list, id }} />
              </div>
              <EntryParams {...{ model, list, id, change }} />
              {expert && unit !== '' && (
                <code class="expression" title={unit}>
                  {unit}
                </code>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The class or expression of an entry. */
function technicalOf({ data }: StudioModel, entry: Entry): string {
  const texts = [data.units[String(entry['id'])], entry['expr'], entry['when'], entry['class']];
  return texts.find((text): text is string => typeof text === 'string') ?? '';
}
