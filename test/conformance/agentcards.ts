import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Case, judge } from './agentcards/case.js';
import { FORMULAS } from './agentcards/formulas.js';
import { karate } from './agentcards/karate.js';
import { smallDirected } from './agentcards/small-directed.js';
import { spectral } from './agentcards/spectral.js';
import type { Vectors } from './agentcards/vectors.js';
import type { Family } from './family.js';
import { SKIPS, type SkipName } from './skips.js';
import { skip, sum, type Tally } from './tally.js';

const isSkip = (name: string): name is SkipName => Object.hasOwn(SKIPS, name);

type Rows = readonly Readonly<Record<string, unknown>>[];

/** The cases of one family of formulas, or the reason why they are skipped. */
async function formulas(family: string, rows: Rows): Promise<Tally> {
  const checks = Object.hasOwn(FORMULAS, family) ? FORMULAS[family] : undefined;
  if (checks === undefined) {
    const name = `agentcards-${family}`;
    return skip(isSkip(name) ? name : 'agentcards-unknown-family', rows.length);
  }
  const cases = rows.flatMap((row, k) =>
    checks(row).map((one, part): Case => ({ ...one, name: `${family} ${k + 1}${part > 0 ? `.${part + 1}` : ''}` })),
  );
  return judge(cases);
}

/** The graphs and formulas of a file of reference values. */
export async function graphVectors(file: string): Promise<Tally> {
  const vectors = JSON.parse(await readFile(file, 'utf8')) as Vectors;
  const tallies = [await judge([...karate(vectors), ...smallDirected(vectors), ...spectral(vectors)])];
  for (const [family, rows] of Object.entries(vectors.formulas)) {
    // oxlint-disable-next-line no-await-in-loop -- in the file's order
    tallies.push(await formulas(family, [rows].flat() as Rows));
  }
  return sum(...tallies);
}

/** The ranking of tools and capabilities, as in AgentCards' scoring reference. */
export const agentcards: Family = {
  name: 'agentcards',
  checks: [{ file: 'vectors/graph.json', run: (folder) => graphVectors(join(folder, 'vectors/graph.json')) }],
};
