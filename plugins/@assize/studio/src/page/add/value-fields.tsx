import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isJsonList, isJsonMap, type JsonData, scalarText, type Step } from '../../save/data-edit.js';
import { inWords } from '../parts/in-words.js';
import { Labelled } from './inputs.js';
import { ListField } from './list-field.js';
import type { Changes } from './use-changes.js';

interface ValueFieldsProps {
  readonly path: readonly Step[];
  readonly label: string;
  readonly changes: Changes;
  /** Values that the data have. */
  readonly suggested: readonly string[];
}

/** A number, text, switch or list of a profile, or the fields of all of them in a map. */
export function ValueFields({ path, label, changes, suggested }: ValueFieldsProps) {
  const value = changes.at(path);
  const set = (next: JsonData) => changes.set(path, next);
  if (isJsonMap(value)) {
    return (
      <FieldGroup {...{ label }}>
        {Object.keys(value).map((key) => (
          <ValueFields key={key} path={[...path, key]} label={inWords(key)} {...{ changes, suggested }} />
        ))}
      </FieldGroup>
    );
  }
  if (isJsonList(value) && !value.every(isSingle)) {
    return (
      <FieldGroup {...{ label }}>
        {value.map((one, k) => (
          <div key={k} class="list-item">
            <ValueFields path={[...path, k]} label={itemName(one, k)} {...{ changes, suggested }} />
            {value.length > 1 && (
              <button type="button" onClick={() => set(value.toSpliced(k, 1))}>
                Remove {itemName(one, k)}
              </button>
            )}
          </div>
        ))}
      </FieldGroup>
    );
  }
  return value === undefined ? null : <ValueField {...{ value, label, suggested }} change={set} />;
}

const FieldGroup = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <fieldset class="values group">
    <legend>{label}</legend>
    {children}
  </fieldset>
);

/** The id of an element of a list, or its position from 1. */
const itemName = (item: JsonData, k: number): string =>
  (isJsonMap(item) && scalarText(item['id'] ?? item['use'] ?? item['class'])) || `item ${k + 1}`;

const isSingle = (value: JsonData): boolean => typeof value !== 'object';

interface ValueFieldProps {
  readonly label: string;
  readonly value: JsonData;
  readonly suggested: readonly string[];
  readonly title?: string | undefined;
  readonly readOnly?: boolean;
  readonly change: (value: JsonData) => void;
}

/** One value, by its type. */
export function ValueField({ label, value, suggested, title, readOnly = false, change }: ValueFieldProps) {
  if (readOnly) {
    const text = isJsonList(value) ? value.map(scalarText).join(', ') : scalarText(value);
    return (
      <Labelled
        label={`${label} (can only be changed in the file)`}
        control={(id) => <input {...{ id }} value={text} readOnly />}
      />
    );
  }
  if (isJsonList(value)) return <ListField {...{ label, suggested, change }} values={value} />;
  if (typeof value === 'boolean') {
    return (
      <label class="row" title={title}>
        <input type="checkbox" checked={value} onChange={({ currentTarget }) => change(currentTarget.checked)} />
        {label}
      </label>
    );
  }
  return <LiteralField {...{ label, value, title, change }} like={value} />;
}

interface LiteralFieldProps {
  readonly label: string;
  readonly value: JsonData | undefined;
  /** A value whose type the typed text gets. */
  readonly like: JsonData | undefined;
  readonly title?: string | undefined;
  readonly change: (value: JsonData) => void;
}

/** A text or a number. The field keeps the typed text: `0.` may become `0.5`. */
export function LiteralField({ label, value, like, title, change }: LiteralFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <Labelled
      {...{ label }}
      control={(id) => (
        <input
          {...{ id, title }}
          value={typed ?? scalarText(value)}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            change(typedLike(like, currentTarget.value));
          }}
          onBlur={() => setTyped(undefined)}
        />
      )}
    />
  );
}

/** A text that is typed instead of a number is a number again, if it can be read as one. */
export const typedLike = (before: JsonData | undefined, text: string): JsonData =>
  typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
