import { type Align, columnsOf, type Look, type Row } from './columns.js';
import type { ChildTerm, CombineTerm, Explanation, ScorerTerm } from './explanation.js';
import { shown } from './numbers.js';
import { insideName, insideOf, numberText, readsText, whyText } from './words.js';

/** One column of the arithmetic: its head, and a scorer's cell. */
interface NumberColumn {
  readonly head: string;
  readonly cell: (term: ScorerTerm) => number | undefined;
}

/** What each way to combine does with a scorer's number. */
function columnsFor(
  method: CombineTerm['method'] | undefined,
  scorers: readonly ScorerTerm[],
): readonly NumberColumn[] {
  const raw: NumberColumn = { head: 'raw', cell: (term) => term.raw };
  const counts: NumberColumn = { head: 'counts', cell: ({ value }) => value };
  const differs = scorers.some(({ raw: given, value }) => value !== undefined && given !== value);
  const values = differs ? [raw, counts] : [raw];
  const adds: NumberColumn = { head: '= adds', cell: ({ contribution }) => contribution };
  if (method === 'weighted_mean' || method === 'weighted_sum')
    return [...values, { head: '× weight', cell: ({ weight }) => weight }, adds];
  if (method === 'geometric_mean')
    return [...values, { head: '^ weight', cell: ({ weight }) => weight }, { ...adds, head: '= factor' }];
  return values;
}

const METHODS: Readonly<Record<CombineTerm['method'], string>> = {
  weighted_mean: 'weighted mean',
  weighted_sum: 'weighted sum',
  product: 'product',
  geometric_mean: 'geometric mean',
  min: 'the least',
  max: 'the greatest',
  formula: 'formula',
};

/** Scorer by scorer what it gave, what that brings, and why; then what it all comes to. */
export function arithmeticText({ scorers, combine }: Explanation, look: Look): string[] {
  if (scorers.length === 0 && !combine) return [];
  const columns = columnsFor(combine?.method, scorers);
  const rows = scorers.flatMap((term): Row[] => [
    {
      cells: [term.id, ...columns.map(({ cell }) => numberText(cell(term)))],
      why: [...whyText(term), ...weighing(term)],
    },
    ...Array.from(insideOf(term), ([child, depth]) => childRow(child, depth, columns.length)),
  ]);
  if (combine) rows.push(totalRow(combine, columns.length));
  const aligns = ['left', ...columns.map((): Align => 'point')] as const;
  return columnsOf(rows, aligns, ['scorer', ...columns.map(({ head }) => head), 'why'], look);
}

/** Where a weight is not simply the entry's own. */
function weighing(term: ScorerTerm): readonly string[] {
  if (term.case !== undefined) return [`weight ${String(term.written)} in case ${JSON.stringify(term.case)}`];
  return typeof term.written === 'string' ? [`weight ${term.written}`] : [];
}

/** An entry inside a scorer: its number stands where the scorer's does, and brings nothing by itself. */
function childRow(child: ChildTerm, depth: number, columns: number): Row {
  const { unit, raw, value, weight } = child;
  const [said = '', ...reads] = whyText(child);
  const weighs = weight === undefined ? [] : [`weight ${shown(weight)}`];
  // An expression is its own name, and that is said once.
  const why = [...weighs, ...(said === unit ? [] : [said])].join('; ');
  return {
    cells: [insideName(unit, depth), numberText(raw ?? value), ...Array<string>(columns - 1).fill('')],
    why: why === '' ? reads : [why, ...reads],
  };
}

function totalRow({ method, formula, score, error, reads, present, of, scale }: CombineTerm, columns: number): Row {
  const partial =
    present < of ? [`scored on ${present} of ${of}${scale === undefined ? '' : `: weights × ${shown(scale)}`}`] : [];
  const what = score === undefined ? [error ?? 'nothing to combine: unscored'] : [];
  const said = formula === undefined ? [] : [formula, ...readsText(reads.filter(({ path }) => path.includes('.')))];
  const blank = Array<string>(columns - 1).fill('');
  return { cells: [METHODS[method], ...blank, numberText(score)], why: [...what, ...said, ...partial] };
}
