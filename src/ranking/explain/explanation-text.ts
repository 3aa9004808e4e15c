import { type CombineFacts, combineFacts } from '../../profile/index.js';
import {
  formatNumber,
  formatOrdinal,
  type ColumnAlign,
  layoutTable,
  type RenderOptions,
  type TableRow,
  wrap,
} from '../../base/index.js';
import { candidateName, sharedIdLines } from './comparison.js';
import type {
  CandidateOutcome,
  ChildTerm,
  CombineTerm,
  Explanation,
  MeasureTerm,
  RuleTerm,
  ScorerTerm,
  StepTerm,
  VetoTerm,
} from './explanation.js';
import {
  childName,
  childrenOf,
  type ExplanationTextOptions,
  explanationWithLabels,
  fieldReadsText,
  fieldReadText,
  indented,
  joinSections,
  noteProblemsIn,
  numberText,
  reasonLines,
  renderOptions,
  section,
} from './text-parts.js';

/**
 * An explanation as text for a terminal: the candidate's result, the arithmetic per scorer, the rules with the score after
 * each, then vetoes, measures and signals.
 */
export function explanationText(explanation: Explanation, options: ExplanationTextOptions = {}): string {
  const render = renderOptions(options);
  const shownAs = explanationWithLabels(explanation);
  const { vetoes, measures, scorers, combine, rules, signals } = shownAs;
  const parts: Part[] = [
    { name: 'scorers', terms: combine ? [] : scorers, text: () => arithmeticText(shownAs, render) },
    { name: 'rules', terms: rules, text: () => rulesText(rules, render) },
    { name: 'vetoes', terms: vetoes, text: () => vetoesText(vetoes, render) },
    { name: 'measures', terms: measures, text: () => measuresText(measures, render) },
  ];
  const notAsked = parts.filter(({ terms }) => noneAsked(terms));
  const shown = parts.filter((part) => (part.terms.length > 0 ? !notAsked.includes(part) : part.name === 'scorers'));
  return joinSections([
    headline(shownAs, render),
    ...shown.map(({ text }) => text()),
    optionalSection('Signals', signals.map(fieldReadText), render),
    optionalSection('Errors of units', noteProblemsIn(shownAs), render),
    optionalSection('Not asked', notAsked.map(notAskedText), render),
  ]);
}

/** One kind of entries, and how it is shown. */
interface Part {
  readonly name: string;
  readonly terms: readonly { readonly id: string; readonly state: string; readonly because?: string }[];
  readonly text: () => readonly string[];
}

const noneAsked = (terms: Part['terms']): boolean =>
  terms.length > 0 && terms.every(({ state }) => state === 'not_asked');

/** The ids of a kind of which no entry was run, and why. */
const notAskedText = ({ name, terms }: Part): string =>
  `${name} ${terms.map(({ id }) => id).join(', ')} (${terms[0]?.because ?? ''})`;

const optionalSection = (title: string, paragraphs: readonly string[], render: RenderOptions): readonly string[] =>
  paragraphs.length === 0 ? [] : section(title, paragraphs, render);

/** One line if all passed; one row per veto if one refused. */
function vetoesText(vetoes: readonly VetoTerm[], render: RenderOptions): readonly string[] {
  if (vetoes.some(({ refusal }) => refusal)) {
    const rows = vetoes.map((term): TableRow => {
      const { id, state, because } = term;
      return { cells: [id, state.replace('_', ' ')], why: because === undefined ? reasonLines(term) : [because] };
    });
    return [render.paint('strong', 'Vetoes'), ...layoutTable(rows, ['left', 'left'], undefined, render)];
  }
  const passed = vetoes.map(({ id, state, error = '' }) => {
    if (state === 'passed') return id;
    return `${id} (${state === 'failed' ? `failed: ${error}` : state.replace('_', ' ')})`;
  });
  return indented([`Vetoes passed: ${passed.join(', ')}`], render).map((line) => line.trimStart());
}

function measuresText(measures: readonly MeasureTerm[], render: RenderOptions): readonly string[] {
  const rows = measures.flatMap((term): TableRow[] => [
    { cells: [term.id, numberText(term.value)], why: reasonLines(term) },
    ...Array.from(
      childrenOf(term),
      ([child, depth]): TableRow => ({
        cells: [childName(child.unit, depth), numberText(child.value)],
        why: reasonLines(child),
      }),
    ),
  ]);
  return [render.paint('strong', 'Measures'), ...layoutTable(rows, ['left', 'point'], undefined, render)];
}

/** The title of an explanation: the result of the candidate, and its refusals. */
function headline(explanation: Explanation, options: RenderOptions): readonly string[] {
  const { profile, outcome } = explanation;
  const refusals =
    outcome.kind === 'refused' ? outcome.all.map(({ by, kind, reason }) => `${by} (${kind}): ${reason}`) : [];
  return section(
    `${candidateName(explanation)}: ${outcomeText(outcome)} (${profile})`,
    [...refusals, ...sharedIdLines(explanation)],
    options,
  );
}

/** The result of a candidate, in a few words. */
export function outcomeText(outcome: CandidateOutcome): string {
  const fallback = outcome.selected === 'fallback' ? ', selected as a fallback' : '';
  switch (outcome.kind) {
    case 'pinned':
      return outcome.leftOut ? `pinned, but not selected: ${outcome.leftOut.text}` : 'pinned: selected and not scored';
    case 'not_asked':
      return `left out: ${outcome.leftOut.text}${fallback}`;
    case 'made':
      return 'generated and selected as a fallback, not scored';
    case 'refused':
      return `refused by ${outcome.by}${fallback}`;
    default: {
      const { score, rank, of, leftOut, note, selected } = outcome;
      const instead = leftOut?.keptInstead === undefined ? '' : ` (instead: ${leftOut.keptInstead.join(', ')})`;
      const left = leftOut ? `, left out: ${leftOut.text}${instead}` : '';
      const place = `${formatOrdinal(rank)} of ${of.toLocaleString('en-US')}`;
      return `${formatNumber(score)}, ${place}${selected === 'score' ? ', selected' : ''}${note ? ` (${note.text})` : ''}${left}${fallback}`;
    }
  }
}

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
function arithmeticText({ scorers, combine }: Explanation, render: RenderOptions): string[] {
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

const OPERATION_TEXT: Readonly<Record<StepTerm['operation'], (amount: number) => string>> = {
  set: (amount) => `= ${formatNumber(amount)}`,
  add: (amount) => (amount < 0 ? `− ${formatNumber(-amount)}` : `+ ${formatNumber(amount)}`),
  multiply: (amount) => `× ${formatNumber(amount)}`,
  min: (amount) => `at least ${formatNumber(amount)}`,
  max: (amount) => `at most ${formatNumber(amount)}`,
};

/** The rules that fired, in order, with the score after each operation; the others by name. */
function rulesText(rules: readonly RuleTerm[], render: RenderOptions): readonly string[] {
  const rows = rules.filter(({ state }) => state !== 'not_fired' && state !== 'not_asked').flatMap(ruleRows);
  const others = (state: RuleTerm['state'], label: string): readonly string[] => {
    const ids = rules.filter((rule) => rule.state === state).map(({ id }) => id);
    return ids.length === 0 ? [] : [wrap(`${label}: ${ids.join(', ')}`, render.columns, '  ')];
  };
  return [
    render.paint('strong', 'Rules'),
    ...layoutTable(rows, ['left', 'left', 'point'], undefined, render),
    ...others('not_fired', 'not fired'),
    ...others('not_asked', 'not asked'),
  ];
}

/** A row for each operation of a rule, the first with its name and why it fired; a last one for a refusal. */
function ruleRows({ id, steps, when, reads, error, refusal }: RuleTerm): readonly TableRow[] {
  const rows = steps.map(({ operation, amount, score, from }) => ({
    cells: [OPERATION_TEXT[operation](amount), formatNumber(score)],
    why: from === undefined ? [] : [`from ${from}`],
  }));
  if (refusal)
    rows.push({ cells: ['', ''], why: [error === undefined ? 'refused: its factor is 0' : `failed: ${error}`] });
  const because = [...(when === undefined ? [] : [when]), ...fieldReadsText(reads)];
  return rows.map(({ cells, why }, k) => ({
    cells: [k === 0 ? id : '', ...cells],
    why: k === 0 ? [...why, ...because] : why,
  }));
}
