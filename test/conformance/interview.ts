import { join } from 'node:path';
import type { Family } from './family.js';
import { engine } from './interview/engine.js';
import { generators } from './interview/generators.js';
import { chains, informationRates, phases, similarities } from './interview/numbers.js';
import { pipelines } from './interview/pipelines.js';
import { scorers } from './interview/scorers.js';
import { selection } from './interview/selection.js';
import { readVectors, type Vectors } from './interview/vectors.js';
import { agree, type Case, skip, sum, type Tally } from './tally.js';

/** Only the order of additions may differ. */
const EXACT = 1e-9;

/** Every group of the interview, by name. */
export const GROUPS: Readonly<Record<string, (vectors: Vectors) => readonly Case[] | Promise<readonly Case[]>>> = {
  scorers,
  engine,
  selection,
  pipelines,
  generators,
  phases,
  chains,
  similarities,
  informationRates,
};

export const compareGroup = async (group: string, read: Vectors): Promise<Tally> =>
  agree((await GROUPS[group]?.(read)) ?? [], EXACT);

/** All groups of a file; the replies of a language model have their own family. */
export async function vectors(file: string): Promise<Tally> {
  const read = await readVectors(file);
  const tallies = await Promise.all(Object.keys(GROUPS).map((group) => compareGroup(group, read)));
  const replies = [read.llmParseVectors, read.llmTextVectors, read.sentimentVectors];
  const left = replies.reduce((total, { length }) => total + length, 0);
  return sum(...tallies, ...(left > 0 ? [skip('interview-language-model', left)] : []));
}

/** The next move of an interview, as computed by the service whose document the preset follows. */
export const interview: Family = {
  name: 'interview',
  checks: [{ file: 'vectors/interview.json', run: (folder) => vectors(join(folder, 'vectors/interview.json')) }],
};
