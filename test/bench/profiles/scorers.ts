import { type BenchProfile, benchProfile } from './bench-profile.js';
import { Best } from './best.js';
import { ids, numbers } from './rows.js';

/** All scorers read these fields, so that the number of scorers grows and the memory does not. */
const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

type Field = (typeof FIELDS)[number];

/** A formula of the number `x` and a constant that differs by scorer: in CEL, and in JavaScript. */
type Formula = readonly [cel: (x: string, k: number) => string, js: (x: string, k: number) => string];

/** The branch goes the same way equally often in all scorers, so that no profile is easier to predict. */
const FORMULAS: readonly Formula[] = [
  [(x, k) => `min(${x} * ${k} / 64, 1)`, (x, k) => `Math.min(${x} * ${k} / 64, 1)`],
  [(x, k) => `sqrt(${x}) / ${k}`, (x, k) => `Math.sqrt(${x}) / ${k}`],
  [(x, k) => `exp(-${x} * ${k})`, (x, k) => `Math.exp(-${x} * ${k})`],
  [(x, k) => `${x} / (${x} + ${k})`, (x, k) => `${x} / (${x} + ${k})`],
  [(x, k) => `max(0, 1 - ${x} * ${k})`, (x, k) => `Math.max(0, 1 - ${x} * ${k})`],
  [(x, k) => `${x} * ${x} / ${k}`, (x, k) => `${x} * ${x} / ${k}`],
  [(x, k) => `clamp(${x} * ${k} - 0.5, 0, 1)`, (x, k) => `Math.min(Math.max(${x} * ${k} - 0.5, 0), 1)`],
  [(x, k) => `${x} > 0.9 ? 1 - ${x} : ${x} / ${k}`, (x, k) => `(${x} > 0.9 ? 1 - ${x} : ${x} / ${k})`],
];

const fieldOf = (k: number): Field => FIELDS[k % FIELDS.length] ?? 'a';
/** The formulas move on by one for each round of the fields, so that every field meets every formula. */
const formulaOf = (k: number): Formula => FORMULAS[(k + Math.floor(k / FIELDS.length)) % FORMULAS.length]!;
const weightOf = (k: number): number => (k % 5) + 1;
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, k) => k);

const yamlOf = (scorers: number): string => `
tier1_scorers:
  - { id: low, expr: candidate.a < 0.1 }
tier2_scorers:${scorers === 0 ? ' []' : ''}
${range(scorers)
  .map((k) => {
    const expr = formulaOf(k)[0](`candidate.${fieldOf(k)}`, k + 1);
    return `  - { id: scorer_${k}, expr: '${expr}', weight: ${weightOf(k)} }`;
  })
  .join('\n')}
select: { top: 100 }
`;

/**
 * The text of a loop by hand: one flat sum. It is made from the formulas, because 64 lines of it twice would hide what they
 * are.
 *
 * @param one the text that is before the first field of a row is read
 * @param read the text that reads a field of the row
 */
function loopText(scorers: number, count: string, one: string, read: (field: Field) => string): string {
  const sum = range(scorers).reduce((total, k) => total + weightOf(k), 0);
  const terms = range(scorers).map((k) => `${weightOf(k)} / ${sum} * (${formulaOf(k)[1](fieldOf(k), k + 1)})`);
  const used = FIELDS.slice(1, Math.max(1, scorers));
  return `let floor = -Infinity;
for (let row = 0; row < ${count}; row++) {
  ${one} const a = ${read('a')};
  if (a < 0.1) continue;
  ${used.map((field) => `const ${field} = ${read(field)};`).join(' ')}
  const score = ${terms.length === 0 ? '0' : terms.join(' +\n    ')};
  if (score > floor) floor = best.add(score, row);
}
return best;`;
}

type Row = Readonly<Record<Field, number>>;

const columnsOf = (count: number, next: () => number) => {
  const shares = (): Float64Array => numbers(count, next, 0, 1);
  return {
    id: ids(count),
    a: shares(),
    b: shares(),
    c: shares(),
    d: shares(),
    e: shares(),
    f: shares(),
    g: shares(),
    h: shares(),
  };
};

/** A veto and a number of scorers with eight kinds of formulas. */
export function scorersProfile(scorers: number): BenchProfile {
  const ofObjects = loopText(scorers, 'rows.length', 'const one = rows[row];', (field) => `one.${field}`);
  const ofColumns = loopText(scorers, 'count', '', (field) => `${field}s[row]`);
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- see loopText
  const overObjects = new Function('rows', 'best', ofObjects) as (rows: readonly Row[], best: Best) => Best;
  const names = FIELDS.map((field) => `${field}: ${field}s`).join(', ');
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- see loopText
  const overColumns = new Function(`{ ${names} }`, 'count', 'best', ofColumns) as (
    columns: ReturnType<typeof columnsOf>,
    count: number,
    best: Best,
  ) => Best;
  return benchProfile<Row, ReturnType<typeof columnsOf>>({
    name: `${scorers} scorers`,
    rows: 100_000,
    yaml: yamlOf(scorers),
    columnsOf,
    overObjects: (rows) => overObjects(rows, new Best()),
    overColumns: (columns, count) => overColumns(columns, count, new Best()),
  });
}
