import { useEffect, useRef, useState } from 'preact/hooks';
import { type JsonData, scalarText } from '../../save/data-edit.js';
import { useUniqueId } from '../parts/unique-id.js';

interface ListFieldProps {
  readonly label: string;
  readonly values: readonly JsonData[];
  /** Values in the data, as suggestions. */
  readonly suggested: readonly string[];
  readonly change: (values: readonly JsonData[]) => void;
}

/** A list of texts or numbers: items are added, removed and moved. */
export function ListField({ label, values, suggested, change }: ListFieldProps) {
  const [typed, setTyped] = useState('');
  const options = useUniqueId();
  const list = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ readonly to: number; readonly up: boolean }>();
  // The focus follows the item, so that it can be moved again.
  useEffect(() => {
    const item = moved && list.current?.children[moved.to];
    const buttons = [...(item?.querySelectorAll('button') ?? [])];
    (moved?.up ? buttons : buttons.slice(1)).find(({ disabled }) => !disabled)?.focus();
  }, [moved]);
  const isNumbers = values.length > 0 && values.every((value) => typeof value === 'number');
  const read = (text: string): JsonData | undefined => {
    if (!isNumbers) return text === '' ? undefined : text;
    return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
  };
  const next = read(typed);
  const add = () => {
    if (next === undefined) return;
    change([...values, next]);
    setTyped('');
  };
  const move = (k: number, to: number) => {
    const rest = values.toSpliced(k, 1);
    change(rest.toSpliced(to, 0, values[k]!));
    setMoved({ to, up: to < k });
  };
  const unused = suggested.filter((one) => !values.includes(one));
  return (
    <fieldset class="values list-of">
      <legend>{label}</legend>
      <ol ref={list}>
        {values.map((value, k) => (
          <li key={`${k} ${scalarText(value)}`} class="row">
            <input
              aria-label={`${label}, item ${k + 1}`}
              value={scalarText(value)}
              onChange={({ currentTarget }) => {
                const changed = read(currentTarget.value);
                if (changed === undefined) currentTarget.value = scalarText(value);
                else change(values.with(k, changed));
              }}
            />
            <button
              type="button"
              class="icon"
              aria-label={`Move ${scalarText(value)} up`}
              disabled={k === 0}
              onClick={() => move(k, k - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="icon"
              aria-label={`Move ${scalarText(value)} down`}
              disabled={k === values.length - 1}
              onClick={() => move(k, k + 1)}
            >
              ↓
            </button>
            <button
              type="button"
              class="icon"
              aria-label={`Remove ${scalarText(value)}`}
              onClick={() => change(values.toSpliced(k, 1))}
            >
              ×
            </button>
          </li>
        ))}
      </ol>
      <div class="row">
        <input
          aria-label={`Add to ${label}`}
          placeholder="Another item"
          list={options}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <datalist id={options}>
          {unused.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <button type="button" onClick={add} disabled={next === undefined}>
          Add item
        </button>
      </div>
    </fieldset>
  );
}
