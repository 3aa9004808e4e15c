import { nameList, type Place, type Problem } from '../../base/index.js';

/** What programs write into cells that have no value, in lower case. */
const NO_VALUE_TEXTS: ReadonlySet<string> = new Set(
  'n/a na #n/a #na n.a. nan null none nil missing unknown undefined \\n - -- – — ? .'.split(' '),
);

const LONGEST = Math.max(...Array.from(NO_VALUE_TEXTS, ({ length }) => length));

/** A column has numbers if at least so large a share of its other cells are numbers: `007` and `12A` are names. */
const LEAST_SHARE = 0.9;

/** The maximum number of different texts of a column that are named. */
const MAX_NAMED = 4;

interface ColumnCells {
  numbers: number;
  texts: number;
  /** Those that probably mean that there is no value, with their counts. */
  readonly noValue: Map<string, number>;
  /** Of the first of them. */
  place: Place | undefined;
}

/**
 * Finds columns of numbers, or of true and false, in which some cells have a text that probably means that there is no
 * value, such as `N/A`. CSV has no types, so such a cell is a text, and an entry that expects a number ignores it.
 */
export class NoValueCells {
  readonly #columns: ColumnCells[] = [];

  /**
   * Counts the value of a cell.
   *
   * @param place called for the first such text of a column
   */
  count(column: number, value: string | number | boolean, place: (column: number) => Place): void {
    const cells = (this.#columns[column] ??= { numbers: 0, texts: 0, noValue: new Map(), place: undefined });
    if (typeof value !== 'string') cells.numbers += 1;
    else if (!isNoValueText(value)) cells.texts += 1;
    else {
      const text = value.trim();
      cells.place ??= place(column);
      cells.noValue.set(text, (cells.noValue.get(text) ?? 0) + 1);
    }
  }

  /**
   * A warning for each column.
   *
   * @param names by column
   * @param isRead whether the values of a column are used
   */
  warnings(names: readonly string[], isRead: (column: number) => boolean): Problem[] {
    return this.#columns.flatMap(({ numbers, texts, noValue, place }, column): Problem[] => {
      const isNumeric = numbers > 0 && numbers >= LEAST_SHARE * (numbers + texts);
      if (noValue.size === 0 || !isNumeric || !isRead(column)) return [];
      const found = [...noValue].toSorted(([, a], [, b]) => b - a);
      const total = found.reduce((sum, [, count]) => sum + count, 0);
      const shown = nameList(found.slice(0, MAX_NAMED).map(([text]) => JSON.stringify(text)));
      const message = `column ${names[column]!.trim()} has numbers in ${rows(numbers)} and ${shown} in ${rows(total)}, which ${total === 1 ? 'is a text' : 'are texts'}`;
      return [{ code: 'ASZ726', message, place, hint: hintFor(found.map(([text]) => text)) }];
    });
  }
}

const rows = (n: number): string => `${n.toLocaleString('en-US')} ${n === 1 ? 'row' : 'rows'}`;

/** Whether a text probably means that a cell has no value, such as `N/A`. */
export const isNoValueText = (text: string): boolean =>
  text.length <= LONGEST + 4 && NO_VALUE_TEXTS.has(text.trim().toLowerCase());

/** The options of the command line by which these texts mean that a cell has no value. */
export const absentOptions = (texts: readonly string[]): readonly string[] =>
  texts.map((text) => `--absent ${/^[\w./-]+$/.test(text) ? text : `'${text}'`}`);

/** How to say that these texts mean that there is no value. */
function hintFor(texts: readonly string[]): string {
  const options = absentOptions(texts).join(' ');
  const listed = texts.map((text) => `'${text.replace('\\', '\\\\')}'`).join(', ');
  return `if it means that there is no value: ${options}; in TypeScript absent: [${listed}]`;
}
