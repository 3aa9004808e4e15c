import type { Measured } from '../measured.js';
import { judged, met, type Result } from '../result.js';
import type { Section } from '../section.js';
import { machine, versionOf } from './machine.js';
import type { Chart } from './points.js';
import { amountSpread, goalText, judgedText, subjectText, timesSpread } from './words.js';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map((_, k) => (k === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');

const mark = (result: Result): string => (met(result) ? '✓' : '✗');

function resultRow(result: Result): readonly string[] {
  const { ratio, goal } = result;
  return [
    subjectText(result),
    amountSpread(result),
    ratio ? `${timesSpread(ratio.times)} × ${ratio.to}` : '',
    goal ? `${goalText(goal, result)} ${mark(result)}` : '',
  ];
}

function workTable(results: readonly Result[]): string {
  const [first] = results;
  const pers = new Set(results.flatMap(({ per }) => per ?? []));
  const head = [`**${first?.work ?? ''}**`, pers.size === 0 ? '' : `per ${[...pers].join(', ')}`, 'compared', 'goal'];
  return table(head, results.map(resultRow));
}

const byWork = (results: readonly Result[]): readonly (readonly Result[])[] =>
  [...new Set(results.map(({ work }) => work))].map((work) => results.filter((result) => result.work === work));

function sectionText({ section, results, failure }: Measured): string {
  const failed = failure === undefined ? [] : [`This section failed: ${failure}`];
  return [`## ${section.title}`, section.about, ...failed, ...byWork(results).map(workTable)].join('\n\n');
}

/** The results of one section with the same goal and subject. */
interface Promised {
  readonly section: Section;
  readonly results: readonly [Result, ...Result[]];
}

function promised(measured: readonly Measured[]): readonly Promised[] {
  const all = new Map<string, { section: Section; results: [Result, ...Result[]] }>();
  for (const { section, results } of measured) {
    for (const result of results) {
      if (!result.goal) continue;
      const key = [section.name, result.subject, result.ratio?.to, goalText(result.goal, result)].join('\n');
      const known = all.get(key);
      if (known) known.results.push(result);
      else all.set(key, { section, results: [result] });
    }
  }
  return [...all.values()];
}

/** `1.21 – 1.43 ×`: the smallest and the largest median. */
function measuredText(results: Promised['results']): string {
  const inOrder = results.toSorted((a, b) => judged(a) - judged(b));
  const texts = [inOrder[0] ?? results[0], inOrder.at(-1) ?? results[0]].map(judgedText);
  return [...new Set(texts)].join(' to ');
}

const anchor = ({ title }: Section): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

/** The number of goals that are met, and a table of the others. */
function goalsText(measured: readonly Measured[]): string {
  const all = promised(measured);
  const others = all.filter(({ results }) => !results.every((result) => met(result)));
  const count = `${all.length - others.length} of ${all.length} goals are met. The tables of the sections mark each goal with ✓ or ✗.`;
  if (others.length === 0) return count;
  const rows = others.map(({ section, results }) => {
    const [{ subject, goal, ratio }] = results;
    const to = ratio && goal?.of !== 'amount' ? ` ${ratio.to}` : '';
    const works = new Set(results.map(({ work }) => work)).size;
    return [
      `[${section.name}](#${anchor(section)}): ${subject}`,
      goal ? `${goalText(goal, results[0])}${to}` : '',
      `${measuredText(results)}${works > 1 ? `, in ${works} works` : ''}`,
    ];
  });
  return `${count}\n\n${table(['missed', 'goal', 'measured'], rows)}`;
}

function missed(measured: readonly Measured[]): readonly string[] {
  const results = measured.flatMap((one) => one.results.filter((result) => met(result) === false));
  const bounds = new Set(results.flatMap(({ goal }) => goal?.bound ?? []));
  if (bounds.size === 0) return [];
  const items = [...bounds].map((bound) => {
    const all = results.filter(({ goal }) => goal?.bound === bound);
    const which = all.map((result) => `${result.work}: ${subjectText(result)}`).join('; ');
    return `- **${which}**: ${bound}`;
  });
  return [`### Causes of missed goals`, items.join('\n')];
}

/** The whole report; the charts are files next to it. */
export function markdown(measured: readonly Measured[], charts: readonly Chart[]): string {
  const packages = [...new Set(['assize', ...measured.flatMap(({ section }) => section.packages ?? [])])];
  const today = new Date().toISOString().slice(0, 10);
  return `${[
    '# How fast it is',
    `Written by \`npm run bench\` on ${today}: ${machine()}. ${packages.map((name) => `${name} ${versionOf(name)}`).join(', ')}.`,
    `Look up here how fast Assize is on one machine. Every number is the median of rounds, with its quartiles in brackets. Subjects
run in one process, in turns whose order rotates. A ratio is taken within a round.`,
    ...charts.map(({ file, alt }) => `![${alt}](${file})`),
    '## Goals',
    goalsText(measured),
    ...missed(measured),
    ...measured.map(sectionText),
  ].join('\n\n')}\n`;
}
