import type { ParamControl, ParamField } from '../../data/studio-data.js';
import type { StudioModel } from '../model/studio-model.js';
import { spokenName } from '../parts/in-words.js';
import { NumberInput } from '../parts/number-input.js';
import { type Settings, withParam } from '../settings/settings.js';
import { type EntryList, withFileEdits } from '../settings/structure.js';
import { type Duration, durationIn, unitWord } from './durations.js';
import { paramWords } from './param-words.js';

interface ParamsProps {
  readonly model: StudioModel;
  readonly list: EntryList;
  /** Of the entry. */
  readonly id: string;
  readonly change: (settings: Settings, dropped: boolean) => void;
}

/** More numbers are hidden until they are opened: a sentence with many is not read. */
const IN_SENTENCE = 2;

/** The numbers among the params of an entry, in its sentence: the server computes its scores again when one changes. */
export function EntryParams({ model, list, id, change }: ParamsProps) {
  if (!model.hasServer) return null;
  const numberOf = (name: string): number | undefined => {
    const value = model.settings.params[id]?.[name];
    return typeof value === 'number' ? value : undefined;
  };
  const durations = (model.data.editing?.params[id] ?? []).flatMap((field) => {
    // In a list, a duration is one of many.
    const isInList = field.path.some((step) => typeof step === 'number');
    const duration =
      field.readOnly || isInList || typeof field.value !== 'string' ? undefined : durationIn(field.value);
    return duration ? [{ field, duration }] : [];
  });
  const setDuration = ({ path }: ParamField, value: string) => {
    const edit = { path: [list, { id }, 'params', ...path], value };
    change(withFileEdits(model.settled, [edit]), true);
  };
  const name = spokenName(model, id);
  const all = [
    ...durations.map(({ field, duration }) => (
      <DurationParam
        key={field.path.join('.')}
        {...{ name, field, duration }}
        set={(value) => setDuration(field, value)}
      />
    )),
    ...(model.data.controls[id] ?? []).map((control) => (
      <Param
        key={control.name}
        {...{ name, control }}
        now={numberOf(control.name)}
        set={(value) => change(withParam(model.settings, id, control.name, value, control.value), true)}
      />
    )),
  ];
  if (all.length === 0) return null;
  const rest = all.slice(IN_SENTENCE);
  return (
    <span class="params">
      {all.slice(0, IN_SENTENCE)}
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          {rest}
        </details>
      )}
    </span>
  );
}

const widthFor = (value: number) => ({ width: `calc(${Math.max(2, String(value).length)}ch + 1.1rem)` });

interface ParamProps {
  /** Of the entry. */
  readonly name: string;
  readonly control: ParamControl;
  readonly now: number | undefined;
  readonly set: (value: number) => void;
}

function Param({ name, control, now = control.value, set }: ParamProps) {
  const { description, least, most, whole } = control;
  return (
    <label class="param" title={description ?? control.name}>
      {paramWords(control.name)}{' '}
      <NumberInput
        type="number"
        label={`${name}: ${paramWords(control.name)}`}
        {...(least !== undefined && { min: least })}
        {...(most !== undefined && { max: most })}
        step={whole ? 1 : 'any'}
        value={now}
        style={widthFor(now)}
        take={set}
      />
    </label>
  );
}

interface DurationProps {
  /** Of the entry. */
  readonly name: string;
  readonly field: ParamField;
  readonly duration: Duration;
  readonly set: (value: string) => void;
}

/** A duration in the unit that the file writes: `half as new after 90 days`. */
function DurationParam({ name, field: { path, description }, duration: { amount, unit }, set }: DurationProps) {
  const words = paramWords(String(path.at(-1) ?? ''));
  return (
    <label class="param" title={description ?? path.join(' ')}>
      {words}{' '}
      <NumberInput
        type="number"
        label={`${name}: ${words}, in ${unitWord(unit, 2)}`}
        min={0}
        step="any"
        value={amount}
        style={widthFor(amount)}
        refusal={(number) => (number === 0 && path.at(-1) === 'half_life' ? 'Type more than 0' : '')}
        take={(number) => set(`${number}${unit}`)}
      />{' '}
      {unitWord(unit, amount)}
    </label>
  );
}
