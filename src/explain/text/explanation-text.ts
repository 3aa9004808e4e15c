import { escapeInvisible } from '../../text/escape-invisible.js';
import { layoutTable, type RenderOptions, type TableRow, type TextStyler } from '../../text/table.js';
import { wrap } from '../../text/wrap.js';
import type { Explanation, MeasureTerm, VetoTerm } from '../explanation.js';
import { arithmeticText } from './arithmetic-text.js';
import { headline } from './outcome-text.js';
import { rulesText } from './rules-text.js';
import { childName, childrenOf, fieldReadText, noteProblemsIn, numberText, reasonLines } from './term-text.js';

/** How the text of an explanation looks. */
export interface ExplanationTextOptions {
  /** How wide a line may be; 80 when not said. */
  readonly columns?: number;
  /** Gives what stands out its look; none when not said. */
  readonly paint?: TextStyler;
}

/**
 * An explanation as a person reads it, in lines that fit a terminal: what became of the candidate, the arithmetic
 * scorer by scorer, the rules with the score after each, then the vetoes, measures and signals.
 */
export function explanationText(
  explanation: Explanation,
  { columns = 80, paint = (_, text) => text }: ExplanationTextOptions = {},
): string {
  const look: RenderOptions = { columns, paint };
  const { vetoes, measures, scorers, combine, rules, signals } = explanation;
  const parts: [what: string, terms: ListedTerms, lines: () => readonly string[]][] = [
    ['scorers', combine ? [] : scorers, () => arithmeticText(explanation, look)],
    ['rules', rules, () => rulesText(rules, look)],
    ['vetoes', vetoes, () => vetoesText(vetoes, look)],
    ['measures', measures, () => measuresText(measures, look)],
  ];
  const idle = parts.filter(([, terms]) => noneAsked(terms));
  const told = parts.filter(
    ([what, terms]) => !noneAsked(terms) && (terms.length > 0 || (what === 'scorers' && combine)),
  );
  const sections = [
    headline(explanation, look),
    ...told.map(([, , lines]) => lines()),
    section('Signals', signals.map(fieldReadText), look),
    section('Errors of units', noteProblemsIn(explanation), look),
    notAskedText(idle, look),
  ];
  const shown = sections.filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

type ListedTerms = readonly { readonly id: string; readonly state: string; readonly because?: string }[];

const noneAsked = (terms: ListedTerms): boolean =>
  terms.length > 0 && terms.every(({ state }) => state === 'not_asked');

/** What was not asked at all, by name: of each kind why. */
function notAskedText(
  idle: readonly (readonly [what: string, terms: ListedTerms, ...rest: unknown[]])[],
  look: RenderOptions,
): readonly string[] {
  const said = idle.map(
    ([what, terms]) => `${what} ${terms.map(({ id }) => id).join(', ')} (${terms[0]?.because ?? ''})`,
  );
  return section('Not asked', said, look);
}

/** Lines of words under a title. */
function section(title: string, said: readonly string[], { columns, paint }: RenderOptions): readonly string[] {
  if (said.length === 0) return [];
  return [paint('strong', title), ...said.map((line) => wrap(escapeInvisible(line), columns, '  '))];
}

/** In one line where all passed; one by one where one refused. */
function vetoesText(vetoes: readonly VetoTerm[], look: RenderOptions): readonly string[] {
  if (vetoes.some(({ refusal }) => refusal)) {
    const rows = vetoes.map((term): TableRow => {
      const { id, state, because } = term;
      return { cells: [id, state.replace('_', ' ')], why: because === undefined ? reasonLines(term) : [because] };
    });
    return [look.paint('strong', 'Vetoes'), ...layoutTable(rows, ['left', 'left'], undefined, look)];
  }
  const said = vetoes.map(({ id, state, error = '' }) => {
    if (state === 'passed') return id;
    return `${id} (${state === 'failed' ? `failed: ${error}` : state.replace('_', ' ')})`;
  });
  return [wrap(escapeInvisible(`Vetoes passed: ${said.join(', ')}`), look.columns, '  ').trimStart()];
}

function measuresText(measures: readonly MeasureTerm[], look: RenderOptions): readonly string[] {
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
  return [look.paint('strong', 'Measures'), ...layoutTable(rows, ['left', 'point'], undefined, look)];
}
