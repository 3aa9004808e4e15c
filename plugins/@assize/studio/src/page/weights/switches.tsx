import type { StudioModel } from '../model/studio-model.js';
import { entriesOf, isOn, type Settings, withToggle } from '../settings/settings.js';
import { Params } from './params.js';

interface SwitchesProps {
  readonly model: StudioModel;
  readonly title: string;
  readonly list: 'adjustments' | 'tier1_scorers';
  readonly change: (settings: Settings, dropped: boolean) => void;
}

/** Rules or vetoes, each with what it does to how many, and whether it is in. */
export function Switches({ model, title, list, change }: SwitchesProps) {
  const { data, settings, ranker } = model;
  const entries = entriesOf(data.profile, list);
  if (entries.length === 0) return null;
  const isRule = list === 'adjustments';
  const counts = isRule ? firedCounts(model) : ranker.refusalsByVeto;
  return (
    <fieldset class="switches">
      <legend>{title}</legend>
      {entries.map((entry) => {
        const id = String(entry['id']);
        const count = counts.get(id) ?? 0;
        const off = !isOn(settings, entry);
        return (
          <div key={id} class={off ? 'off' : ''}>
            <label class="row">
              <input
                type="checkbox"
                checked={!off}
                disabled={!ranker.canSwitch(entry)}
                onChange={() => change(withToggle(settings, entry), true)}
              />
              <span class="name" title={id}>
                {model.nameOf(id)}
              </span>
              {!off && <small>{isRule ? `fired on ${count}` : `refused ${count}`}</small>}
            </label>
            <Params model={model} id={id} change={change} />
          </div>
        );
      })}
    </fieldset>
  );
}

function firedCounts({ ranking: { matrix } }: StudioModel): ReadonlyMap<string, number> {
  return new Map(matrix.rules.map((id) => [id, matrix.rule(id).fired.reduce((sum, fired) => sum + fired, 0)]));
}
