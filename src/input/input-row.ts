/** A candidate as it was read, and the line it starts in. */
export interface InputRow {
  readonly value: object;
  readonly line: number;
}

/** The formats that candidates come in. */
export const INPUT_FORMATS = ['json', 'jsonl', 'csv', 'tsv'] as const;

/**
 * `json`: one list of objects, or one object, which is one candidate; `jsonl`: an object a line; `csv` and `tsv`: a line
 * of names, and then a row a line.
 */
export type InputFormat = (typeof INPUT_FORMATS)[number];
