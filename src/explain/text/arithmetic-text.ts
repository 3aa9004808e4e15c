import { type CombineFacts, combineFacts } from '../../profile/index.js';
import { type ColumnAlign, formatNumber, layoutTable, type RenderOptions, type TableRow } from '../../text/index.js';
import type { ChildTerm, CombineTerm, Explanation, ScorerTerm } from '../explanation.js';
import { childName, childrenOf, fieldReadsText, numberText, reasonLines } from './term-text.js';

/** One column of numbers: its head, and a scorer's cell. */
interface NumberColumn {
  readonly head: string;
  readonly cell: (term: ScorerTerm) => number | undefined;
}

/** The heads of the columns of weights and contributions; of what has no part of its own, the weight alone. */
const WEIGHT_HEADS: Readonly<Record<CombineFacts['effect'], readonly [weight: string, contribution?: string]>> = {
  summand: ['× weight', '= adds'],
  factor: ['^ weight', '= factor'],
  extreme: ['weight'],
  none: ['weight'],
};

/** The columns of numbers: what a scorer gave, and, where the combine reads weights, its weight and contribution. */
function numberColumns(
  method: CombineTerm['method'] | undefined,
  scorers: readonly ScorerTerm[],
): readonly NumberColumn[] {
  const rawDiffers = scorers.some(({ raw, value }) => value !== undefined && raw !== value);
  const columns: NumberColumn[] = [{ head: 'raw', cell: ({ raw }) => raw }];
  if (rawDiffers) columns.push({ head: 'counts', cell: ({ value }) => value });
  const facts = method && combineFacts(method);
  if (!facts || facts.weights === 'none') return columns;
  const [weightHead, head] = WEIGHT_HEADS[facts.effect];
  columns.push({ head: weightHead, cell: ({ weight }) => weight });
  if (head !== undefined) columns.push({ head, cell: ({ contribution }) => contribution });
  return columns;
}

/** Scorer by scorer what it gave, its contribution and why; then the combined score. */
export function arithmeticText({ scorers, combine }: Explanation, render: RenderOptions): string[] {
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
  return layoutTable(rows, aligns, ['scorer', ...columns.map(({ head }) => head), 'why'], render);
}

/** The source of a weight that is not simply the entry's number. */
function weightNote(term: ScorerTerm): readonly string[] {
  if (term.case !== undefined) return [`weight ${String(term.written)} in case ${JSON.stringify(term.case)}`];
  return typeof term.written === 'string' ? [`weight ${term.written}`] : [];
}

/** An entry inside a scorer: its number stands in the scorer's column, and has no contribution of its own. */
function childRow(child: ChildTerm, depth: number, columns: number): TableRow {
  const { unit, raw, value, weight } = child;
  const [reason = '', ...reads] = reasonLines(child);
  const weighs = weight === undefined ? [] : [`weight ${formatNumber(weight)}`];
  // The text of an expression is its name already.
  const why = [...weighs, ...(reason === unit ? [] : [reason])].join('; ');
  return {
    cells: [childName(unit, depth), numberText(raw ?? value), ...Array<string>(columns - 1).fill('')],
    why: why === '' ? reads : [why, ...reads],
  };
}

function totalRow(
  { method, formula, score, error, reads, present, of, scale }: CombineTerm,
  columns: number,
): TableRow {
  const unscored = score === undefined ? [error ?? 'nothing to combine: unscored'] : [];
  const source =
    formula === undefined ? [] : [formula, ...fieldReadsText(reads.filter(({ path }) => path.includes('.')))];
  const scaled = scale === undefined ? '' : `: weights × ${formatNumber(scale)}`;
  const partial = present < of ? [`scored on ${present} of ${of}${scaled}`] : [];
  const blank = Array<string>(columns - 1).fill('');
  return {
    cells: [combineFacts(method).label, ...blank, numberText(score)],
    why: [...unscored, ...source, ...partial],
  };
}
