/** A field of the candidates in a sample. */
export interface SampleField {
  /** The types that were found: `number`, `string or null`. */
  readonly types: Set<string>;
  /** The first value that is not null, as JSON. */
  example: string | undefined;
  readonly fields: Map<string, SampleField>;
  /** The number of candidates that have it. */
  count: number;
}

/** What a sample shows. */
const MOST_CANDIDATES = 100;
const MOST_FIELDS = 2000;
const MOST_DEPTH = 6;
const MOST_ELEMENTS = 10;

const newField = (): SampleField => ({ types: new Set(), example: undefined, fields: new Map(), count: 0 });

/** The fields of a sample of candidates. */
export function sampleFields(candidates: readonly unknown[]): SampleField {
  const root = newField();
  const budget = { fields: MOST_FIELDS };
  for (const candidate of candidates.slice(0, MOST_CANDIDATES)) add(root, candidate, budget, 0);
  return root;
}

function add(field: SampleField, value: unknown, budget: { fields: number }, depth: number): void {
  field.count += 1;
  field.types.add(typeOf(value));
  if (field.example === undefined && value !== null && value !== undefined) field.example = exampleText(value);
  if (typeof value !== 'object' || value === null || value instanceof Date || depth >= MOST_DEPTH) return;
  if (Array.isArray(value)) {
    for (const element of value.slice(0, MOST_ELEMENTS)) add(fieldOf(field, '[]', budget), element, budget, depth + 1);
    return;
  }
  for (const [key, inner] of Object.entries(value)) add(fieldOf(field, key, budget), inner, budget, depth + 1);
}

function fieldOf({ fields }: SampleField, key: string, budget: { fields: number }): SampleField {
  const known = fields.get(key);
  if (known) return known;
  const created = newField();
  budget.fields -= 1;
  if (budget.fields >= 0) fields.set(key, created);
  return created;
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Date) return 'time';
  return { number: 'number', bigint: 'number', string: 'string', boolean: 'bool' }[typeof value as string] ?? 'map';
}

const MOST_SHOWN = 60;

function exampleText(value: unknown): string | undefined {
  if (typeof value === 'object' && !(value instanceof Date)) return undefined;
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** The field at a path of names. `[]` is an element of a list. */
export function fieldAt(root: SampleField | undefined, names: readonly string[]): SampleField | undefined {
  return names.reduce<SampleField | undefined>((field, name) => field?.fields.get(name), root);
}

/** The types of a field, with an example: `number, such as 1200`. */
export function fieldText({ types, example }: SampleField): string {
  const text = [...types].join(' or ');
  return example === undefined ? text : `${text}, such as ${example}`;
}

/** The candidate fields that a text reads in its expressions: `candidate.owner.login` as a list of names. */
export function fieldsInText(text: string): SampleField {
  const root = newField();
  const budget = { fields: MOST_FIELDS };
  for (const [, path = ''] of text.matchAll(/\bcandidate((?:\.\??[A-Za-z_]\w{0,99}){1,6})(?!\w{0,99}\()/g)) {
    let field = root;
    for (const name of path.split(/\.\??/).slice(1, MOST_DEPTH)) field = fieldOf(field, name, budget);
  }
  return root;
}
