import { NumberInput } from '../parts/number-input.js';

interface ExpressionProps {
  readonly text: string;
  /** The name of what the expression computes. */
  readonly name: string;
  readonly set: (text: string) => void;
}

/** A part of an expression: a number, or the text between numbers. */
interface Part {
  readonly text: string;
  readonly isNumber: boolean;
}

/** Texts, names and numbers of an expression. Digits in the first two are not numbers. */
const TOKEN = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_][\w.]*|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?!\w)/g;

/** Splits an expression at its numbers. The parts together are the expression. */
export function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match[1] === undefined) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isNumber: false });
    parts.push({ text: match[1], isNumber: true });
    end = match.index + match[1].length;
  }
  return end < text.length ? [...parts, { text: text.slice(end), isNumber: false }] : parts;
}

/** A number as an expression writes it. One with a fraction before has one after, because it is of another type. */
export const literalOf = (value: number, before: string): string => {
  const text = value < 0 ? `(${value})` : String(value);
  return before.includes('.') && Number.isInteger(value) && !text.includes('e')
    ? text.replace(/(\d)(?=\)?$)/, '$1.0')
    : text;
};

/** An expression in which each number can be edited. */
export function ExpressionNumbers({ text, name, set }: ExpressionProps) {
  const parts = partsOf(text);
  return (
    <span class="expression-numbers">
      {parts.map((part, k) =>
        part.isNumber ? (
          <NumberInput
            key={k}
            type="number"
            label={`Number ${parts.slice(0, k + 1).filter(({ isNumber }) => isNumber).length} of ${name}`}
            step="any"
            value={Number(part.text)}
            style={{ width: `calc(${Math.max(2, part.text.length)}ch + 1.1rem)` }}
            take={(value) =>
              set(
                parts
                  .with(k, { text: literalOf(value, part.text), isNumber: true })
                  .map((one) => one.text)
                  .join(''),
              )
            }
          />
        ) : (
          <code key={k}>{part.text}</code>
        ),
      )}
    </span>
  );
}
