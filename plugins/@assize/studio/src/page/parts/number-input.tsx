import { useEffect, useState } from 'preact/hooks';
import { formatExact } from './format.js';
import { useUniqueId } from './unique-id.js';

interface NumberInputProps {
  readonly type: 'number' | 'range';
  readonly label: string;
  /** Undefined if there is no number: the placeholder is shown. */
  readonly value: number | undefined;
  readonly step: number | 'any';
  readonly placeholder?: string;
  readonly min?: number;
  readonly max?: number;
  readonly disabled?: boolean;
  readonly style?: Readonly<Record<string, string>>;
  /** Says which number is needed instead, such as `Type more than 3`; empty if a number fits. Any fits if not given. */
  readonly refusal?: (value: number) => string;
  /** Takes a number, once it is typed in full or dropped. */
  readonly take: (value: number) => void;
}

/**
 * An input of a number. What is typed or dragged and not taken yet stays when the page is drawn meanwhile, as it is when
 * its file changes or something slow has ended. A text that is not a number, or a number that does not fit, is not taken:
 * the value shows again, with the reason next to it.
 */
export function NumberInput({ label, value, refusal = () => '', take, ...rest }: NumberInputProps) {
  const [typed, setTyped] = useState<string>();
  const [reason, setReason] = useState('');
  const noteId = useUniqueId();
  useEffect(() => setReason(''), [value]);
  return (
    <>
      <input
        {...rest}
        aria-label={label}
        aria-describedby={reason === '' ? undefined : noteId}
        value={typed ?? value ?? ''}
        onInput={({ currentTarget: input }) => {
          setTyped(input.value);
          setReason('');
        }}
        onBlur={() => setTyped(undefined)}
        onChange={({ currentTarget: input }) => {
          const refused = invalidity(input) || refusal(input.valueAsNumber);
          setTyped(undefined);
          if (refused === '') return take(input.valueAsNumber);
          setReason(`${refused}${value === undefined ? '' : `; ${formatExact(value)} stays`}.`);
          input.value = String(value ?? '');
        }}
      />
      {reason !== '' && (
        <small id={noteId} class="refused" role="alert">
          {reason}
        </small>
      )}
    </>
  );
}

/** Says which number an input needs instead; empty if it has a number that fits. */
function invalidity({ validity, valueAsNumber, min, max, step }: HTMLInputElement): string {
  if (validity.rangeUnderflow) return `Type at least ${formatExact(Number(min))}`;
  if (validity.rangeOverflow) return `Type at most ${formatExact(Number(max))}`;
  if (validity.stepMismatch) return step === '1' ? 'Type a whole number' : `Type a multiple of ${step}`;
  return Number.isFinite(valueAsNumber) ? '' : 'Type a number';
}
