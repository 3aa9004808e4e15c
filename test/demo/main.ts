/**
 * Examples to look at: reasoning traces of agents, films, and an interview.
 *
 *     npm run demo
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rankingTable } from '../../src/cli/output/ranking-table.js';
import { runWarningsText, summary } from '../../src/cli/output/summary.js';
import { explanationStyle } from '../../src/cli/terminal/styler.js';
import { type Output, type ProcessIo, processIo } from '../../src/cli/terminal/io.js';
import { type Context, comparisonText, createPipeline, type Ranking } from 'assize';
import { packageRoot } from '../../src/base/package-root.js';
import { films } from './films.js';
import { playInterview } from './interview.js';

interface Scene {
  /** The task, and the interesting part of its output. */
  readonly introduction: string;
  readonly profile: string;
  readonly candidates: readonly object[];
  readonly context?: Context;
}

const folder = join(packageRoot(), 'config', 'demo');

const traces: Scene = {
  introduction: `Which traces of agents at work are worth keeping? The preset knowledgepulse.
Look at novelty: the second TSMC trace and the second parcel say little new.`,
  profile: 'traces.yaml',
  candidates: JSON.parse(readFileSync(join(folder, 'traces.json'), 'utf8')) as readonly object[],
};

const movies: Scene = {
  introduction: `And what is no trace at all: which of 3,201 films, on New Year's Day of 2011?
Look at the dashes: an unknown field of a film is left out of the score. It does not count as 0.`,
  profile: 'movies.yaml',
  candidates: films(),
  context: { now: '2011-01-01' },
};

async function show({ introduction, profile, candidates, context }: Scene, out: Output): Promise<Ranking<unknown>> {
  const pipeline = await createPipeline(join(folder, profile));
  const ranking = await pipeline.rank(candidates, context);
  const best = ranking;
  const table = rankingTable(best, pipeline.describe().scorers, out);
  out.write(`${introduction}\n\n${table}${summary(best, out)}${runWarningsText(best, out)}`);
  return ranking;
}

/** Why the first comes before the second, and the smallest changes that reverse their order. */
async function showWhy(ranking: Ranking<unknown>, out: Output): Promise<void> {
  const [first, second] = ranking.ranked;
  if (!first || !second) return;
  out.write(comparisonText(await ranking.compare(first, second), explanationStyle(out)));
}

async function main({ out }: ProcessIo): Promise<void> {
  out.write('\n');
  const ranking = await show(traces, out);
  out.write('\n');
  await showWhy(ranking, out);
  out.write('\n\n');
  await show(movies, out);
  out.write('\n\n');
  await playInterview(out);
  out.write('\n');
}

void main(processIo());
