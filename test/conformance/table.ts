import { mcpScenarios } from './mcp.js';
import type { Suite } from './suites.js';
import type { Tally } from './tally.js';

/** The counts of a suite. */
export interface Row {
  readonly suite: Suite;
  readonly passed: number;
  readonly failed: number;
  /** Cases whose result differs for a documented reason. */
  readonly differs: number;
  readonly notApplicable: number;
  /** False if the suite is not installed: the counts are those of its last run. */
  readonly hasRun: boolean;
}

const casesOf = (skipped: Tally['skipped'], isDifference: boolean): number =>
  skipped.reduce((total, { name, cases }) => total + (name.startsWith('cel-') === isDifference ? cases : 0), 0);

/** The counts of a suite that ran, or of MCP's if it is not installed. */
function rowOf(suite: Suite, tally: Tally | undefined): Row {
  if (tally === undefined) {
    const { pass, notApplicable } = mcpScenarios();
    const left = Object.values(notApplicable).flat().length;
    return { suite, passed: pass.length, failed: 0, differs: 0, notApplicable: left, hasRun: false };
  }
  const { passed, failed, skipped } = tally;
  const notApplicable = casesOf(skipped, false) + (suite.left ?? 0);
  return { suite, passed, failed: failed.length, differs: casesOf(skipped, true), notApplicable, hasRun: true };
}

export async function runSuites(suites: readonly Suite[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const suite of suites) {
    // oxlint-disable-next-line no-await-in-loop -- one suite after another
    rows.push(rowOf(suite, await suite.run()));
  }
  return rows;
}

const number = (count: number): string => count.toLocaleString('en');

/** The table in Markdown. */
export function suitesTable(rows: readonly Row[]): string {
  const lines = rows.map(({ suite, passed, failed, differs, notApplicable }) => {
    const counts = [passed + failed + differs + notApplicable, passed, differs, notApplicable].map(number);
    return `| [${suite.name}](../fixtures/${suite.folder}/SOURCE.md) | ${suite.version} | ${counts.join(' | ')} |`;
  });
  return [
    '| suite | version | cases | pass | documented difference | not applicable |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** The suites of which fewer cases pass than a document says, one in a line. */
export function fallenSuites(rows: readonly Row[], document: string): readonly string[] {
  return rows.flatMap(({ suite: { name, folder }, passed }) => {
    const start = `| [${name}](../fixtures/${folder}/SOURCE.md) |`;
    const line = document.split('\n').find((one) => one.startsWith(start));
    const before = Number((line?.split('|')[4] ?? '').replaceAll(',', ''));
    return passed < before ? [`${name}: ${passed} cases pass, ${before} passed before`] : [];
  });
}
