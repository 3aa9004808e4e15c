import type { ParamField } from '../../data/studio-data.js';
import { type JsonData, scalarText } from '../../save/data-edit.js';
import { inWords } from '../parts/in-words.js';
import { Choice, SuggestedField } from './inputs.js';
import { LiteralField, ValueField } from './value-fields.js';

interface ParamInputProps {
  readonly field: ParamField;
  readonly value: JsonData | undefined;
  readonly suggested: readonly string[];
  readonly change: (value: JsonData) => void;
}

/** One param, by its type. */
export function ParamInput({ field, value = field.value, suggested, change }: ParamInputProps) {
  const { path, choices, readOnly = false, description, isUnset = false, isRequired = false, form } = field;
  const words = inWords(path.map((step) => (typeof step === 'number' ? step + 1 : step)).join(' '));
  const label = isRequired ? `${words} (needed)` : words;
  const isEmpty = isUnset && value === field.value && !Array.isArray(value);
  if (!readOnly && (choices || (isUnset && typeof field.value === 'boolean'))) {
    const names = choices ?? ['true', 'false'];
    return (
      <Choice
        {...{ label }}
        value={isEmpty ? '' : scalarText(value)}
        choices={[...(isEmpty ? [['', 'not set'] as const] : []), ...names.map((one) => [one, one] as const)]}
        choose={(name) => change(choices ? name : name === 'true')}
      />
    );
  }
  if (!readOnly && form !== undefined && typeof value === 'string') {
    return <SuggestedField {...{ label, value, suggested, change }} title={description} />;
  }
  // One form for both, so that the focus stays while the first value is typed.
  if (!readOnly && (typeof field.value === 'string' || typeof field.value === 'number')) {
    return <LiteralField {...{ label, change }} value={isEmpty ? '' : value} like={field.value} title={description} />;
  }
  return <ValueField {...{ label, value, suggested, readOnly, change }} title={description} />;
}
