import type { ParamControl } from '../../data/studio-data.js';
import type { StudioModel } from '../model/studio-model.js';
import { inWords } from '../parts/in-words.js';
import { NumberInput } from '../parts/number-input.js';
import { type Settings, withParam } from '../settings/settings.js';

interface ParamsProps {
  readonly model: StudioModel;
  /** Of the entry. */
  readonly id: string;
  readonly change: (settings: Settings, dropped: boolean) => void;
}

/** Params that many classes have, as the words before their number. */
const WORDS: Readonly<Record<string, string>> = {
  half_life: 'half as new after',
  min: 'at least',
  max: 'at most',
  limit: 'up to',
  scale: 'on a scale of',
};

/** More numbers are hidden until they are opened: a sentence with many is not read. */
const IN_SENTENCE = 2;

/** The numbers among the params of an entry, in its sentence: the server computes its scores again when one changes. */
export function EntryParams({ model, id, change }: ParamsProps) {
  const controls = model.data.controls[id] ?? [];
  if (controls.length === 0 || !model.hasServer) return null;
  const numberOf = (name: string): number | undefined => {
    const value = model.settings.params[id]?.[name];
    return typeof value === 'number' ? value : undefined;
  };
  const param = (control: ParamControl) => (
    <Param
      key={control.name}
      {...{ id, control }}
      now={numberOf(control.name)}
      set={(name, value) => change(withParam(model.settings, id, name, value, control.value), true)}
    />
  );
  const rest = controls.slice(IN_SENTENCE);
  return (
    <span class="params">
      {controls.slice(0, IN_SENTENCE).map(param)}
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          {rest.map(param)}
        </details>
      )}
    </span>
  );
}

interface ParamProps {
  readonly id: string;
  readonly control: ParamControl;
  readonly now: number | undefined;
  readonly set: (name: string, value: number) => void;
}

function Param({ id, control: { name, value, description, least, most, whole }, now = value, set }: ParamProps) {
  return (
    <label class="param" title={description ?? name}>
      {WORDS[name] ?? inWords(name).toLowerCase()}{' '}
      <NumberInput
        type="number"
        label={`${name} of ${id}`}
        {...(least !== undefined && { min: least })}
        {...(most !== undefined && { max: most })}
        step={whole ? 1 : 'any'}
        value={now}
        style={{ width: `calc(${Math.max(2, String(now).length)}ch + 1.1rem)` }}
        take={(number) => set(name, number)}
      />
    </label>
  );
}
