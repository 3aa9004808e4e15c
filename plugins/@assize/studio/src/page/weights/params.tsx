import type { ParamControl } from '../../data/studio-data.js';
import type { StudioModel } from '../model/studio-model.js';
import { NumberInput } from '../parts/number-input.js';
import { type Settings, withParam } from '../settings/settings.js';

interface ParamsProps {
  readonly model: StudioModel;
  /** Of the entry. */
  readonly id: string;
  readonly change: (settings: Settings, dropped: boolean) => void;
}

/** The numbers among the params of an entry: the server computes its scores again when one changes. */
export function Params({ model, id, change }: ParamsProps) {
  const controls = model.data.controls[id] ?? [];
  if (controls.length === 0 || !model.hasServer) return null;
  const numberOf = (name: string): number | undefined => {
    const value = model.settings.params[id]?.[name];
    return typeof value === 'number' ? value : undefined;
  };
  return (
    <details class="params">
      <summary>params</summary>
      {controls.map((control) => (
        <Param
          key={control.name}
          {...{ id, control }}
          now={numberOf(control.name)}
          set={(name, value) => change(withParam(model.settings, id, name, value, control.value), true)}
        />
      ))}
    </details>
  );
}

interface ParamProps {
  readonly id: string;
  readonly control: ParamControl;
  readonly now: number | undefined;
  readonly set: (name: string, value: number) => void;
}

function Param({ id, control: { name, value, description, least, most, whole }, now = value, set }: ParamProps) {
  const bounds = { ...(least !== undefined && { min: least }), ...(most !== undefined && { max: most }) };
  const isRange = least !== undefined && most !== undefined;
  const step = whole ? 1 : isRange ? (most - least) / 100 : 'any';
  return (
    <label class="row" title={description}>
      {name}
      <NumberInput
        type={isRange ? 'range' : 'number'}
        label={`${name} of ${id}`}
        {...bounds}
        step={step}
        value={now}
        {...(isRange && { style: { '--fill': `${(100 * (now - least)) / (most - least || 1)}%` } })}
        take={(number) => set(name, number)}
      />
      {isRange && <span class="share">{now}</span>}
    </label>
  );
}
