import { layoutTable, type RenderOptions, type TableRow } from '../../text/index.js';
import type { Explanation, MeasureTerm, VetoTerm } from '../explanation.js';
import { arithmeticText } from './arithmetic-text.js';
import { headline } from './outcome-text.js';
import { rulesText } from './rules-text.js';
import { type ExplanationTextOptions, indented, joinSections, renderOptions, section } from './sections.js';
import { explanationWithLabels } from './with-labels.js';
import { childName, childrenOf, fieldReadText, noteProblemsIn, numberText, reasonLines } from './term-text.js';

/**
 * An explanation in lines that fit a terminal: the result of the candidate, the arithmetic scorer by scorer, the rules
 * with the score after each, then the vetoes, measures and signals.
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

/** A line where all passed; a row for each where one refused. */
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
