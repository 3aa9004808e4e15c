import { createPipeline, type Pipeline, scorer } from 'assize';
import { FIELDS, type Item, items } from '../engines/work.js';
import type { Result } from '../result.js';
import type { Section } from '../section.js';
import { spread } from '../statistics.js';

const TOP = 10;

/** A model that is slow to answer: only the number of calls counts. */
class Model {
  calls = 0;
  readonly unit = scorer(
    ({ f }: Item) => {
      this.calls += 1;
      return Math.sqrt(f);
    },
    { range: [0, 1], cost: 1_000_000 },
  );
}

interface Case {
  readonly name: string;
  /** The weight of the expensive scorer; the cheap ones have weight 1 together. */
  readonly weight: number;
  readonly rerank?: number;
}

const CASES: readonly Case[] = [
  { name: 'the model weighs a third', weight: 0.5 },
  { name: 'the model weighs half', weight: 1 },
  { name: 'the model weighs three quarters', weight: 3 },
  { name: 'half, rerank of the best 100', weight: 1, rerank: 100 },
];

async function pipelineOf({ weight, rerank }: Case, model: Model): Promise<Pipeline<Item>> {
  const cheap = FIELDS.slice(0, 2).map((field) => ({ id: field, expr: `candidate.${field}`, weight: 0.5 }));
  return createPipeline<Item>(
    {
      tier2_scorers: [...cheap, { id: 'model', class: 'Model', weight }],
      select: { top: TOP },
      ...(rerank !== undefined && { rerank: { top: rerank, ask: ['model'] } }),
    },
    { units: { Model: model.unit } },
  );
}

export const pruned: Section = {
  name: 'pruned',
  title: 'Calls of an expensive scorer that are pruned',
  about: `How many of 10,000 candidates a model scores for the top ${TOP}. Pruning excludes candidates that can no longer be selected, and keeps
the result. \`rerank\` may miss some.`,
  async *run(effort) {
    const list = items(effort.of(10_000));
    for (const one of CASES) {
      const model = new Model();
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const pipeline = await pipelineOf(one, model);
      const selected = async (prune: boolean): Promise<readonly number[]> => {
        model.calls = 0;
        const ranking = await pipeline.rank(list, { now: 0 }, { prune });
        return ranking.selected.map(({ index }) => index);
      };
      // oxlint-disable-next-line no-await-in-loop -- see above
      const everybody = await selected(false);
      const all = model.calls;
      // oxlint-disable-next-line no-await-in-loop -- see above
      const some = await selected(true);
      const found = everybody.filter((index) => some.includes(index)).length;
      if (one.rerank === undefined && some.join(' ') !== everybody.join(' ')) {
        throw new Error(`pruned, ${some.join(' ')} are selected, and ${everybody.join(' ')} when all are asked about`);
      }
      const amount = spread([model.calls]);
      const result: Result = { work: 'Scored candidates', subject: one.name, amount, unit: 'calls', per: 'run' };
      const ratio = { to: 'all', times: spread([model.calls / all]) };
      yield one.rerank === undefined
        ? { ...result, ratio }
        : { ...result, ratio, note: `finds ${found} of the ${everybody.length}` };
    }
  },
};
