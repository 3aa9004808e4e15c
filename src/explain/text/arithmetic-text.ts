import { formatNumber } from '../../text/format-number.js';
import { type ColumnAlign, layoutTable, type RenderOptions, type TableRow } from '../../text/table.js';
import type { ChildTerm, CombineTerm, Explanation, ScorerTerm } from '../explanation.js';
import { COMBINE_METHOD_NAMES } from './combine-method-names.js';
import { childName, childrenOf, fieldReadsText, numberText, reasonLines } from './term-text.js';

/** One column of the arithmetic: its head, and a scorer's cell. */
interface NumberColumn {
  readonly head: string;
  readonly cell: (term: ScorerTerm) => number | undefined;
}

/** What each way to combine does with a scorer's number. */
function numberColumns(
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

/** Scorer by scorer what it gave, what that brings, and why; then what it all comes to. */
export function arithmeticText({ scorers, combine }: Explanation, look: RenderOptions): string[] {
  if (scorers.length === 0 && !combine) return [];
  const columns = numberColumns(combine?.method, scorers);
  const rows = scorers.flatMap((term): TableRow[] => [
    {
      cells: [term.id, ...columns.map(({ cell }) => numberText(cell(term)))],
      why: [...reasonLines(term), ...weightNote(term)],
    },
    ...Array.from(childrenOf(term), ([child, depth]) => childRow(child, depth, columns.length)),
  ]);
  if (combine) rows.push(totalRow(combine, columns.length));
  const aligns = ['left', ...columns.map((): ColumnAlign => 'point')] as const;
  return layoutTable(rows, aligns, ['scorer', ...columns.map(({ head }) => head), 'why'], look);
}

/** Where a weight is not simply the entry's own. */
function weightNote(term: ScorerTerm): readonly string[] {
  if (term.case !== undefined) return [`weight ${String(term.written)} in case ${JSON.stringify(term.case)}`];
  return typeof term.written === 'string' ? [`weight ${term.written}`] : [];
}

/** An entry inside a scorer: its number stands where the scorer's does, and brings nothing by itself. */
function childRow(child: ChildTerm, depth: number, columns: number): TableRow {
  const { unit, raw, value, weight } = child;
  const [said = '', ...reads] = reasonLines(child);
  const weighs = weight === undefined ? [] : [`weight ${formatNumber(weight)}`];
  // An expression is its own name, and that is said once.
  const why = [...weighs, ...(said === unit ? [] : [said])].join('; ');
  return {
    cells: [childName(unit, depth), numberText(raw ?? value), ...Array<string>(columns - 1).fill('')],
    why: why === '' ? reads : [why, ...reads],
  };
}

function totalRow(
  { method, formula, score, error, reads, present, of, scale }: CombineTerm,
  columns: number,
): TableRow {
  const partial =
    present < of
      ? [`scored on ${present} of ${of}${scale === undefined ? '' : `: weights × ${formatNumber(scale)}`}`]
      : [];
  const what = score === undefined ? [error ?? 'nothing to combine: unscored'] : [];
  const said =
    formula === undefined ? [] : [formula, ...fieldReadsText(reads.filter(({ path }) => path.includes('.')))];
  const blank = Array<string>(columns - 1).fill('');
  return { cells: [COMBINE_METHOD_NAMES[method], ...blank, numberText(score)], why: [...what, ...said, ...partial] };
}
