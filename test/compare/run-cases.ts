/**
 * Runs the cases of a campaign with one build and prints an outcome per line:
 * `node run-cases.js PACKAGE_FOLDER SEED FROM TO`.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as assize from 'assize';
import { caseOf, featuresOf } from './cases.js';
import { errorOutcome, type Outcome, rankingOutcome } from './outcome.js';

const [folder = '.', seed = '1', from = '0', to = '0'] = process.argv.slice(2);
const { createPipeline } = (await import(pathToFileURL(join(folder, 'dist/bundle/index.js')).href)) as typeof assize;

/** Whether the build has the option `minScore`; builds before it call it `min_score`. */
const hasMinScore = await createPipeline<object>({ tier2_scorers: [{ id: 'a', expr: '1.0' }] })
  .then((pipeline) => pipeline.rank([], {}, { minScore: 0 }))
  .then(
    () => true,
    () => false,
  );

/** The options of a call as the build names them. */
const named = ({ min_score: least, ...options }: Readonly<Record<string, unknown>>): object => ({
  ...options,
  ...(least !== undefined && { [hasMinScore ? 'minScore' : 'min_score']: least }),
});

async function outcomeOf(n: number): Promise<Outcome> {
  const { profile, candidates, context, options: given } = caseOf(Number(seed), n);
  const options = named(given);
  let pipeline: assize.Pipeline<object>;
  try {
    pipeline = await createPipeline<object>(profile, { codegen: true });
  } catch (error) {
    return { load: errorOutcome(error) };
  }
  const run = async (
    work: () => Promise<assize.Ranking<object>> | assize.Ranking<object>,
    explanations: boolean,
  ): Promise<Outcome> => {
    try {
      return rankingOutcome(await work(), explanations);
    } catch (error) {
      return errorOutcome(error);
    }
  };
  // A pipeline may have a memory: each call gets the one that the calls before it left.
  const asynchronous = await run(() => pipeline.rank(candidates, context, options), true);
  const synchronous = n % 4 === 0 ? await run(() => pipeline.rankSync(candidates, context, options), false) : undefined;
  const reweighed =
    n % 4 === 1
      ? await run(async () => (await pipeline.rank(candidates, context, options)).reweigh({ top: 3 }), true)
      : undefined;
  return { asynchronous, synchronous, reweighed };
}

for (let n = Number(from); n < Number(to); n++) {
  // oxlint-disable-next-line no-await-in-loop -- one case after the other: their order is the order of the lines
  const outcome = await outcomeOf(n);
  const line = `${JSON.stringify({ n, features: [...featuresOf(caseOf(Number(seed), n))], outcome })}\n`;
  // oxlint-disable-next-line no-await-in-loop -- back-pressure
  if (!process.stdout.write(line)) await once(process.stdout, 'drain');
}
