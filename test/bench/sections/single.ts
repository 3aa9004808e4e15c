import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPipeline } from 'assize';
import { evaluateValue, type ReasoningTrace } from 'assize/knowledgepulse';
import { packageRoot } from '../../../src/base/package-root.js';
import { CALL } from '../bounds.js';
import { profile } from '../engines/assize.js';
import { byHand } from '../engines/by-hand.js';
import { type Item, items, NOW } from '../engines/work.js';
import { listsOf, passOver } from '../growth/grown.js';
import { measure, type Subject } from '../measure.js';
import type { Result } from '../result.js';
import type { Effort, Section } from '../section.js';
import { transcription } from '../single/transcription.js';
import { hideTransformers } from '../single/without-embedder.js';

function traces(): readonly ReasoningTrace[] {
  const file = join(packageRoot(), 'test', 'fixtures', 'knowledgepulse', 'vectors.jsonl');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((text) => (JSON.parse(text) as { trace: ReasoningTrace }).trace);
}

async function* oneTrace(effort: Effort): AsyncGenerator<Result> {
  hideTransformers();
  const all = traces();
  for (const trace of all) {
    // oxlint-disable-next-line no-await-in-loop -- not measured
    const [ours, theirs] = [await evaluateValue(trace), await transcription(trace)];
    if (Math.abs(ours - theirs) > 1e-12)
      throw new Error(`${trace.id} is worth ${theirs}, and evaluateValue says ${ours}`);
  }
  const names = ['transcription of the formula', 'evaluateValue'] as const;
  const subjects = [
    { name: names[0], per: all.length, pass: () => passOver(all, transcription) },
    { name: names[1], per: all.length, pass: () => passOver(all, evaluateValue) },
  ];
  const times = await measure(subjects, effort);
  const work = 'One KnowledgePulse trace, no embedder';
  yield times.result(work, names[0], 'call');
  yield { ...times.result(work, names[1], 'call', names[0]), goal: { atMost: 8, bound: CALL } };
}

async function* fewCandidates(effort: Effort): AsyncGenerator<Result> {
  const hand = await byHand.open();
  const pipeline = await createPipeline<Item>(profile);
  const context = { now: NOW };
  for (const size of [1, 10]) {
    const lists = listsOf(items(effort.of(64 * size)), size);
    const per = lists.length;
    const rank = async (list: readonly Item[]) => (await pipeline.rank(list, context)).selected;
    const subjects: Subject[] = [
      { name: byHand.name, per, pass: () => lists.map((list) => hand(list)) },
      { name: 'rankSync', per, pass: () => lists.map((list) => pipeline.rankSync(list, context).selected) },
      { name: 'rank', per, pass: () => passOver(lists, rank) },
    ];
    if (size === 1) {
      const scoreOf = ([one]: readonly Item[]) => one && pipeline.scoreSync(one, context);
      subjects.splice(1, 0, { name: 'scoreSync', per, pass: () => lists.map(scoreOf) });
    }
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const times = await measure(subjects, effort);
    const work = `The profile above, ${size} ${size === 1 ? 'candidate' : 'candidates'}`;
    for (const { name } of subjects) {
      yield times.result(work, name, 'call', ...(name === byHand.name ? [] : [byHand.name]));
    }
  }
}

export const single: Section = {
  name: 'single',
  title: 'One candidate per call',
  about: `The cost of one call. \`evaluateValue\` of \`assize/knowledgepulse\`, without an embedder, and a plain transcription of the
published formula, both asynchronous, over 40 traces in turn; answers equal to 1e-12.`,
  async *run(effort) {
    yield* oneTrace(effort);
    yield* fewCandidates(effort);
  },
};
