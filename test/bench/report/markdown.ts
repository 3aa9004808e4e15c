import { met, type Result } from '../result.js';
import type { Measured } from '../measured.js';
import type { Chart } from './charts.js';
import { machine, versionOf } from './machine.js';
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
  const head = [`**${first?.work ?? ''}**`, pers.size === 0 ? '' : `a ${[...pers].join(', ')}`, 'beside', 'goal'];
  return table(head, results.map(resultRow));
}

const byWork = (results: readonly Result[]): readonly (readonly Result[])[] =>
  [...new Set(results.map(({ work }) => work))].map((work) => results.filter((result) => result.work === work));

function sectionText({ section, results, failure }: Measured): string {
  const failed = failure === undefined ? [] : [`This section failed: ${failure}`];
  return [`## ${section.title}`, section.about, ...failed, ...byWork(results).map(workTable)].join('\n\n');
}

function goalsTable(measured: readonly Measured[]): string {
  const judged = measured.flatMap(({ results }) => results.filter(({ goal }) => goal));
  const rows = judged.map((result) => [
    `${result.work}: ${subjectText(result)}`,
    `${goalText(result.goal!, result)}${result.ratio && result.goal?.of !== 'amount' ? ` ${result.ratio.to}` : ''}`,
    judgedText(result),
    mark(result),
  ]);
  return table(['', 'goal', 'measured', ''], rows);
}

function missed(measured: readonly Measured[]): readonly string[] {
  const results = measured.flatMap((one) => one.results.filter((result) => met(result) === false));
  if (results.length === 0) return [];
  const bounds = new Set(results.map(({ goal }) => goal?.bound));
  const items = [...bounds].map((bound) => {
    const all = results.filter(({ goal }) => goal?.bound === bound);
    const which = all.map((result) => `${result.work}: ${subjectText(result)}`).join('; ');
    return `- **${which}**${bound === undefined ? '' : `: ${bound}`}`;
  });
  return [`### What misses its goal, and what bounds it`, items.join('\n')];
}

/** The whole report; the charts are files beside it. */
export function markdown(measured: readonly Measured[], charts: readonly Chart[]): string {
  const packages = [...new Set(['assize', ...measured.flatMap(({ section }) => section.packages ?? [])])];
  const today = new Date().toISOString().slice(0, 10);
  return `${[
    '# How fast it is',
    `Written by \`npm run bench\` on ${today}: ${machine()}. ${packages.map((name) => `${name} ${versionOf(name)}`).join(', ')}.`,
    `Every number is the median of rounds, its quartiles in brackets. What is compared runs in one process, in turns whose order
rotates; a ratio is taken within a round, so that what slows the machine slows both. Absolute times are this machine's.`,
    ...charts.map(({ file, alt }) => `![${alt}](${file})`),
    '## Goals',
    goalsTable(measured),
    ...missed(measured),
    ...measured.map(sectionText),
  ].join('\n\n')}\n`;
}
