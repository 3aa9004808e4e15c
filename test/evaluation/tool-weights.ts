import type { JudgedQuery } from '@assize/evaluate';
import type { Pipeline, ProfileInput } from 'assize';
import { tuneWeights } from '@assize/evaluate/tune';
import type { Query, Tool } from './tools.js';

const PARTS = ['words', 'meaning'];

/** Words and meaning with the weights of the preset: half and half. */
const HALVES: ProfileInput = {
  name: 'halves',
  tier2_scorers: PARTS.map((id) => ({ id, expr: `candidate.${id}` })),
};

/** The score of each tool for each query by each part, without the tools. */
async function measuredParts(
  pipeline: Pipeline<Tool>,
  tools: readonly Tool[],
  queries: readonly Query[],
): Promise<readonly JudgedQuery<object>[]> {
  const judged: JudgedQuery<object>[] = [];
  for (const { id, text, relevant } of queries) {
    // oxlint-disable-next-line no-await-in-loop -- one after another: a language model uses all processors
    const { matrix } = await pipeline.rank(tools, { query: text });
    const columns = PARTS.map((part) => [part, matrix.column(part).values] as const);
    judged.push({
      id,
      candidates: Array.from(matrix.index, (_, row) =>
        Object.fromEntries(columns.map(([part, values]) => [part, values[row]])),
      ),
      grades: Array.from(matrix.index, (index) => (relevant.has(tools[index]!.id) ? 1 : 0)),
    });
  }
  return judged;
}

/** Whether other weights of words and meaning are better, on held-out queries. */
export async function tunedParts(
  pipeline: Pipeline<Tool>,
  tools: readonly Tool[],
  queries: readonly Query[],
): Promise<string> {
  const judged = await measuredParts(pipeline, tools, queries);
  const { scorers, heldOut } = await tuneWeights(HALVES, judged, { measure: 'nDCG@10' });
  const [{ before, after, interval, p, verdict }] = heldOut;
  const found = scorers.map(({ id, weight }) => `${id} ${weight}`).join(', ');
  const [low, high] = interval.map((bound) => bound.toFixed(3));
  return `Tuned: ${found}; kept back ${before.toFixed(3)} → ${after.toFixed(3)} (${low} to ${high}), p = ${p.toPrecision(2)}: ${verdict}.`;
}
