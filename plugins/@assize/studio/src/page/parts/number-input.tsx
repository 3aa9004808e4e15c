import { useState } from 'preact/hooks';

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
  /** Whether a number can be taken; any can when not given. */
  readonly fits?: (value: number) => boolean;
  /** Takes a number, once it is typed in full or dropped. */
  readonly take: (value: number) => void;
}

/**
 * An input of a number. What is typed or dragged and not taken yet stays when the page is drawn meanwhile, as it is when
 * its file changes or something slow has ended. What is no number, or does not fit, is not taken: the value shows again.
 */
export function NumberInput({ label, value, fits = () => true, take, ...rest }: NumberInputProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      {...rest}
      aria-label={label}
      value={typed ?? value ?? ''}
      onInput={({ currentTarget: input }) => setTyped(input.value)}
      onBlur={() => setTyped(undefined)}
      onChange={({ currentTarget: input }) => {
        const { validity, valueAsNumber: number } = input;
        setTyped(undefined);
        if (validity.valid && Number.isFinite(number) && fits(number)) take(number);
        else input.value = String(value ?? '');
      }}
    />
  );
}
