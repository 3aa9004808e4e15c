import { type ColumnAlign, layoutTable, type RenderOptions, type TableRow, wrap } from '../../base/index.js';
import { candidateName, sharedIdLines } from './comparison.js';
import { entriesInside, type Explanation, type ExplanationNode, nodesOfKind, type RuleNode } from './explanation.js';
import {
  checkExplanation,
  childName,
  type ExplanationTextOptions,
  indented,
  joinSections,
  nameOfNode,
  numberText,
  renderOptions,
  section,
} from './text-parts.js';

/**
 * Formats an explanation for a terminal: the candidate's result, the arithmetic per scorer, the rules with the score
 * after each, then vetoes, measures and signals.
 */
export function explanationText(explanation: Explanation, options: ExplanationTextOptions = {}): string {
  checkExplanation('explanationText', explanation);
  const render = renderOptions(options);
  const stages = explanation.details.toSorted((a, b) => placeOf(a) - placeOf(b));
  const skipped = stages.filter(isSkipped);
  return joinSections([
    headline(explanation, render),
    ...stages.filter((stage) => !skipped.includes(stage)).map((stage) => stageText(stage, render)),
    optionalSection('Errors of units', noteProblemsIn(explanation), render),
    optionalSection('Not evaluated', skipped.map(skippedText), render),
  ]);
}

/** The order of the stages in the text. Other stages follow; signals come last. */
const READING_ORDER = ['combine', 'adjust', 'veto', 'measure'];

function placeOf({ kind, id }: ExplanationNode): number {
  if (id === 'signals') return READING_ORDER.length + 1;
  const place = READING_ORDER.indexOf(kind === 'combine' ? kind : id);
  return place < 0 ? READING_ORDER.length : place;
}

/** The nodes of a stage that get a table row. */
const rowsOf = ({ details }: ExplanationNode): readonly ExplanationNode[] =>
  details.filter(({ kind }) => kind !== 'field' && kind !== 'note');

/** Whether no entry of a stage was evaluated. */
const isSkipped = (stage: ExplanationNode): boolean =>
  stage.value === undefined &&
  rowsOf(stage).length > 0 &&
  rowsOf(stage).every(({ state }) => state === 'not_evaluated');

/** The entries of a skipped stage, and why they were not evaluated. */
function skippedText(stage: ExplanationNode): string {
  const rows = rowsOf(stage);
  const name = stage.kind === 'combine' ? 'scorers' : nameOfNode(stage).toLowerCase();
  return `${name} ${rows.map(nameOfNode).join(', ')} (${rows[0]?.text ?? ''})`;
}

/** The lines of a stage: a table, unless the stage has its own layout. */
function stageText(stage: ExplanationNode, render: RenderOptions): readonly string[] {
  if (stage.kind === 'combine') return tableText(stage, render, true);
  if (stage.id === 'adjust') return rulesText(nodesOfKind(stage.details, 'rule'), render);
  if (stage.id === 'veto') return vetoesText(stage, render);
  if (stage.id === 'select') return []; // The headline contains it.
  const fields = nodesOfKind(stage.details, 'field').map(({ text }) => text);
  if (rowsOf(stage).length === 0) return optionalSection(nameOfNode(stage), fields, render);
  return [render.paint('strong', nameOfNode(stage)), ...tableText(stage, render, false)];
}

/** A section; no lines if it has no paragraphs. */
const optionalSection = (title: string, paragraphs: readonly string[], render: RenderOptions): readonly string[] =>
  paragraphs.length === 0 ? [] : section(title, paragraphs, render);

/** A row for each detail of a node with its numbers and text, followed by its nested entries; last the node's own value. */
function tableText(node: ExplanationNode, render: RenderOptions, withHeads: boolean): string[] {
  const { columns = [] } = node;
  const blank = Array<string>(Math.max(columns.length - 1, 0)).fill('');
  const rows = rowsOf(node).flatMap((detail): TableRow[] => [
    {
      cells: [nameOfNode(detail), ...columns.map(({ key }) => numberText(numberIn(detail, key)))],
      why: whyLines(detail),
    },
    ...Array.from(entriesInside(detail), ([entry, depth]): TableRow => {
      const { unit, raw, value, weight, text } = entry;
      const first = [
        ...(weight === undefined ? [] : [`weight ${numberText(weight)}`]),
        ...(text === unit ? [] : [text]),
      ];
      const reads = fieldLines(entry);
      return {
        cells: [childName(unit, depth), numberText(raw ?? value), ...blank],
        why: first.length === 0 ? reads : [first.join('; '), ...reads],
      };
    }),
  ]);
  if (node.kind === 'combine' && node.state !== 'not_evaluated') {
    const why = [node.text, ...fieldLines(node, (id) => id.includes('.'))].filter((text) => text !== '');
    rows.push({ cells: [nameOfNode(node), ...blank, numberText(numberIn(node, 'value'))], why });
  }
  const aligns = ['left', ...columns.map((): ColumnAlign => 'point')] as const;
  const heads = withHeads ? ['scorer', ...columns.map(({ head }) => head), 'why'] : undefined;
  return rows.length === 0 ? [] : layoutTable(rows, aligns, heads, render);
}

const numberIn = (node: ExplanationNode, key: string): number | undefined => {
  const value: unknown = Reflect.get(node, key);
  return typeof value === 'number' ? value : undefined;
};

/** Why a node has its result, one paragraph each: its text, the fields it read, and the source of a computed weight. */
function whyLines(node: ExplanationNode): readonly string[] {
  if (node.state === 'not_evaluated') return [`not evaluated: ${node.text}`];
  return [node.text, ...fieldLines(node), ...nodesOfKind([node], 'scorer').flatMap(weightNote)];
}

/** The fields that a node read, in one paragraph, except those that its text contains. */
function fieldLines(
  { text, details }: ExplanationNode,
  isShown: (id: string) => boolean = () => true,
): readonly string[] {
  const fields = nodesOfKind(details, 'field').filter((field) => isShown(field.id) && !text.includes(field.text));
  return fields.length === 0 ? [] : [fields.map((field) => field.text).join(', ')];
}

function weightNote(scorer: { readonly written?: number | string; readonly case?: string }): readonly string[] {
  const { written, case: weightCase } = scorer;
  if (weightCase !== undefined) return [`weight ${String(written)} in case ${JSON.stringify(weightCase)}`];
  return typeof written === 'string' ? [`weight ${written}`] : [];
}

/** One line if all vetoes passed; a table if one refused. */
function vetoesText({ details }: ExplanationNode, render: RenderOptions): readonly string[] {
  const vetoes = nodesOfKind(details, 'veto');
  const stateText = (state: string): string => state.replace('_', ' ');
  if (vetoes.some(({ refusal }) => refusal)) {
    const rows = vetoes.map((veto): TableRow => {
      const why = veto.state === 'not_evaluated' ? [veto.text] : whyLines(veto);
      return { cells: [nameOfNode(veto), stateText(veto.state)], why };
    });
    return [render.paint('strong', 'Vetoes'), ...layoutTable(rows, ['left', 'left'], undefined, render)];
  }
  const passed = vetoes.map((veto) => {
    const { state, error = '' } = veto;
    if (state === 'passed') return nameOfNode(veto);
    return `${nameOfNode(veto)} (${state === 'failed' ? `failed: ${error}` : stateText(state)})`;
  });
  return indented([`Vetoes passed: ${passed.join(', ')}`], render).map((line) => line.trimStart());
}

/** The title of an explanation: the result of the candidate, and its refusals. */
function headline(explanation: Explanation, render: RenderOptions): readonly string[] {
  const { profile, outcome, text } = explanation;
  const refusals =
    outcome.kind === 'refused'
      ? outcome.all.map(({ by, label = by, kind, reason }) => `${label} (${kind}): ${reason}`)
      : [];
  const title = `${candidateName(explanation)}: ${text} (${profile})`;
  return section(title, [...refusals, ...sharedIdLines(explanation)], render);
}

/** The rules that fired, in order, with the score after each operation; then the names of the others. */
function rulesText(rules: readonly RuleNode[], render: RenderOptions): readonly string[] {
  const rows = rules.filter(({ state }) => state !== 'not_fired' && state !== 'not_evaluated').flatMap(ruleRows);
  const others = (state: RuleNode['state'], label: string): readonly string[] => {
    const names = rules.filter((rule) => rule.state === state).map(nameOfNode);
    return names.length === 0 ? [] : [wrap(`${label}: ${names.join(', ')}`, render.columns, '  ')];
  };
  return [
    render.paint('strong', 'Rules'),
    ...layoutTable(rows, ['left', 'left', 'point'], undefined, render),
    ...others('not_fired', 'not fired'),
    ...others('not_evaluated', 'not evaluated'),
  ];
}

/** A row for each operation of a rule, and one for a refusal. The first row has the rule's name and condition. */
function ruleRows(rule: RuleNode): readonly TableRow[] {
  const { when, refusal, text, details } = rule;
  const rows = nodesOfKind(details, 'step').map((step) => ({
    cells: [step.text, numberText(step.value)],
    why: step.from === undefined ? [] : [`from ${step.from}`],
  }));
  if (refusal) rows.push({ cells: ['', ''], why: [text] });
  const fields = nodesOfKind(details, 'field').map((field) => field.text);
  const because = [...(when === undefined ? [] : [when]), ...(fields.length === 0 ? [] : [fields.join(', ')])];
  return rows.map(({ cells, why }, k) => ({
    cells: [k === 0 ? nameOfNode(rule) : '', ...cells],
    why: k === 0 ? [...why, ...because] : why,
  }));
}

/** The mistakes in the notes of units. */
function noteProblemsIn(explanation: Explanation): readonly string[] {
  const entries = explanation.details.flatMap(rowsOf);
  const problems = entries.flatMap((entry) =>
    [entry, ...Array.from(entriesInside(entry), ([inner]) => inner)].flatMap((node) =>
      nodesOfKind(node.details, 'note').flatMap(({ problem }) =>
        problem === undefined ? [] : [`${nameOfNode(entry)} (${String(Reflect.get(node, 'unit'))}): ${problem}`],
      ),
    ),
  );
  return [...new Set(problems)];
}
