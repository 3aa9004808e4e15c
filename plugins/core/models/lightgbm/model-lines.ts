import { filePlace, ParamFileError } from '../param-file.js';

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

const INFINITIES: Readonly<Record<string, number | undefined>> = {
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

/** One `key=value` of a model's file, with its line. */
interface ModelField {
  readonly value: string;
  readonly line: number;
}

/** The `key=value` lines of one part of a model's file: its head, or a tree. */
export class ModelSection {
  readonly #fields = new Map<string, ModelField>();

  /**
   * @param title what it is, in messages: `the head`, `Tree=3`
   * @param line  its first line
   */
  constructor(
    private readonly file: string,
    readonly title: string,
    private readonly line: number,
  ) {}

  /** Adds a line; one without `=`, such as the head's first and its `average_output`, has an empty value. */
  add(text: string, line: number): void {
    const end = text.indexOf('=');
    const key = end < 0 ? text : text.slice(0, end);
    if (this.#fields.has(key)) this.#fail(line, 1, `${key} is there twice in ${this.title}`);
    this.#fields.set(key, { value: end < 0 ? '' : text.slice(end + 1), line });
  }

  has(key: string): boolean {
    return this.#fields.has(key);
  }

  text(key: string): string {
    return this.#field(key).value;
  }

  /** The words of a value, by single spaces. */
  words(key: string): readonly string[] {
    const { value } = this.#field(key);
    return value === '' ? [] : value.split(' ');
  }

  /** A whole number within bounds. */
  integer(key: string, least: number, most: number): number {
    return this.integers(key, 1, least, most)[0]!;
  }

  /** So many numbers: finite ones, or also `inf`, the threshold of a split that only missing values do not pass. */
  numbers(key: string, count: number, infinite = false): readonly number[] {
    const { line } = this.#field(key);
    const words = this.words(key);
    let column = key.length + 2;
    if (words.length !== count)
      this.#fail(line, column, `expected ${count} numbers in ${key} of ${this.title}, found ${words.length}`);
    return words.map((word) => {
      const number = (infinite ? INFINITIES[word] : undefined) ?? (NUMBER.test(word) ? Number(word) : Number.NaN);
      if (Number.isNaN(number) || (!infinite && !Number.isFinite(number)))
        this.#fail(line, column, `expected a number in ${key}, found ${JSON.stringify(word.slice(0, 40))}`);
      column += word.length + 1;
      return number;
    });
  }

  /** So many whole numbers within bounds. */
  integers(key: string, count: number, least: number, most: number): readonly number[] {
    const numbers = this.numbers(key, count);
    const wrong = numbers.find((number) => !Number.isInteger(number) || number < least || number > most);
    if (wrong !== undefined)
      this.fail(key, `expected whole numbers from ${least} to ${most} in ${key}, found ${wrong}`);
    return numbers;
  }

  /** @throws ParamFileError at the value of a key, or at the start of the section where it is missing */
  fail(key: string, message: string): never {
    return this.#fail(this.#fields.get(key)?.line ?? this.line, this.#fields.has(key) ? key.length + 2 : 1, message);
  }

  #field(key: string): ModelField {
    return this.#fields.get(key) ?? this.fail(key, `${this.title} has no ${key}`);
  }

  #fail(line: number, column: number, message: string): never {
    throw new ParamFileError(`${filePlace(this.file, line, column)}: ${message}`);
  }
}

/**
 * Splits a model's file into its head and its trees; what follows `end of trees` is for people.
 *
 * @throws ParamFileError where it is none, or ends before its trees do
 */
export function modelSections(
  text: string,
  file: string,
): { readonly head: ModelSection; readonly trees: readonly ModelSection[] } {
  const lines = text.split(/\r?\n/);
  const head = new ModelSection(file, 'the head', 1);
  if (lines[0] !== 'tree')
    head.fail(
      '',
      'expected a model in LightGBM’s text format, which starts with the line tree; OnnxScorer reads the ONNX format',
    );
  const trees: ModelSection[] = [];
  let section = head;
  for (const [k, line] of lines.entries()) {
    if (line === 'end of trees') return { head, trees };
    if (line.startsWith('Tree=')) {
      section = new ModelSection(file, line, k + 1);
      if (line !== `Tree=${trees.length}`)
        section.fail('', `expected Tree=${trees.length}, found ${line.slice(0, 40)}`);
      trees.push(section);
    } else if (line !== '') section.add(line, k + 1);
  }
  throw new ParamFileError(
    `${filePlace(file, lines.length, 1)}: the file ends within ${section.title}: expected a line end of trees`,
  );
}
