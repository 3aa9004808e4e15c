import { wrap } from '../document/fit.js';
import { visible } from '../document/visible.js';
import { arithmeticText } from './arithmetic-text.js';
import { columnsOf, type Look, type Paint, type Row } from './columns.js';
import type { Explanation, MeasureTerm, VetoTerm } from './explanation.js';
import { headline } from './headline.js';
import { rulesText } from './rules-text.js';
import { insideName, insideOf, numberText, problemsIn, readText, whyText } from './words.js';

/** How the text of an explanation looks. */
export interface ExplanationTextOptions {
  /** How wide a line may be; 80 when not said. */
  readonly columns?: number;
  /** Gives what stands out its look; none when not said. */
  readonly paint?: Paint;
}

/**
 * An explanation as a person reads it, in lines that fit a terminal: what became of the candidate, the arithmetic
 * scorer by scorer, the rules with the score after each, then the vetoes, measures and signals.
 */
export function explanationText(
  explanation: Explanation,
  { columns = 80, paint = (_, text) => text }: ExplanationTextOptions = {},
): string {
  const look: Look = { columns, paint };
  const { vetoes, measures, scorers, combine, rules, signals } = explanation;
  const parts: [what: string, terms: Listed, lines: () => readonly string[]][] = [
    ['scorers', combine ? [] : scorers, () => arithmeticText(explanation, look)],
    ['rules', rules, () => rulesText(rules, look)],
    ['vetoes', vetoes, () => vetoesText(vetoes, look)],
    ['measures', measures, () => measuresText(measures, look)],
  ];
  const idle = parts.filter(([, terms]) => untouched(terms));
  const told = parts.filter(
    ([what, terms]) => !untouched(terms) && (terms.length > 0 || (what === 'scorers' && combine)),
  );
  const sections = [
    headline(explanation, look),
    ...told.map(([, , lines]) => lines()),
    titled('Signals', signals.map(readText), look),
    titled('Errors of units', problemsIn(explanation), look),
    untoldText(idle, look),
  ];
  const shown = sections.filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

type Listed = readonly { readonly id: string; readonly state: string; readonly because?: string }[];

const untouched = (terms: Listed): boolean => terms.length > 0 && terms.every(({ state }) => state === 'not_asked');

/** What was not asked at all, by name: of each kind why. */
function untoldText(
  idle: readonly (readonly [what: string, terms: Listed, ...rest: unknown[]])[],
  look: Look,
): readonly string[] {
  const said = idle.map(
    ([what, terms]) => `${what} ${terms.map(({ id }) => id).join(', ')} (${terms[0]?.because ?? ''})`,
  );
  return titled('Not asked', said, look);
}

/** Lines of words under a title. */
function titled(title: string, said: readonly string[], { columns, paint }: Look): readonly string[] {
  if (said.length === 0) return [];
  return [paint('strong', title), ...said.map((line) => wrap(visible(line), columns, '  '))];
}

/** In one line where all passed; one by one where one refused. */
function vetoesText(vetoes: readonly VetoTerm[], look: Look): readonly string[] {
  if (vetoes.some(({ refusal }) => refusal)) {
    const rows = vetoes.map((term): Row => {
      const { id, state, because } = term;
      return { cells: [id, state.replace('_', ' ')], why: because === undefined ? whyText(term) : [because] };
    });
    return [look.paint('strong', 'Vetoes'), ...columnsOf(rows, ['left', 'left'], undefined, look)];
  }
  const said = vetoes.map(({ id, state, error = '' }) => {
    if (state === 'passed') return id;
    return `${id} (${state === 'failed' ? `failed: ${error}` : state.replace('_', ' ')})`;
  });
  return [wrap(visible(`Vetoes passed: ${said.join(', ')}`), look.columns, '  ').trimStart()];
}

function measuresText(measures: readonly MeasureTerm[], look: Look): readonly string[] {
  const rows = measures.flatMap((term): Row[] => [
    { cells: [term.id, numberText(term.value)], why: whyText(term) },
    ...Array.from(
      insideOf(term),
      ([child, depth]): Row => ({
        cells: [insideName(child.unit, depth), numberText(child.value)],
        why: whyText(child),
      }),
    ),
  ]);
  return [look.paint('strong', 'Measures'), ...columnsOf(rows, ['left', 'point'], undefined, look)];
}
