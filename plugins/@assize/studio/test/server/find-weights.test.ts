import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPipeline } from 'assize';
import { readDataset, readPairs } from '@assize/evaluate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AskedPair, FoundWeights, TuneProgress } from '../../src/data/studio-data.js';
import { openStudio, type Studio } from '@assize/studio';
import { WeightFinder } from '../../src/server/find-weights.js';
import { StudioSession } from '../../src/server/studio-session.js';
import { askWeights, tuneWeights } from '@assize/evaluate/tune';
import { newFolder } from '../../../../../test/scale/threads/folder.js';

const folder = newFolder();
const profile = folder.write(
  'profile.yaml',
  `tier2_scorers:
  - { id: a, expr: candidate.a / 40 }
  - { id: b, expr: candidate.b / 40 }
`,
);
const queries = Array.from({ length: 30 }, (_, q) => {
  const candidates = Array.from({ length: 8 }, (_one, k) => ({
    id: `q${q}c${k}`,
    a: (k * 7 + q * 5) % 40,
    b: (k * 11 + q * 3) % 40,
  }));
  return { id: `q${q}`, candidates, grades: candidates.map(({ a }) => (a > 25 ? 1 : 0)) };
});

interface Line<S> {
  readonly step?: S;
  readonly result?: FoundWeights;
  readonly message?: string;
}

describe('the search for weights in a studio', () => {
  let studio: Studio;

  beforeAll(async () => {
    studio = await openStudio({ profile, queries });
  });
  afterAll(() => studio.close());

  const ask = (path: string, body: object = {}, signal?: AbortSignal) => {
    const [origin, token] = studio.url.split('/#token=') as [string, string];
    const headers = { authorization: `Bearer ${token}` };
    return fetch(`${origin}/api/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  };

  async function* linesOf<S>(response: Response): AsyncGenerator<Line<S>> {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as Line<S>;
    }
  }

  test('tune equals assize tune, reports its steps, and writes nothing', async () => {
    const steps: TuneProgress[] = [];
    let found: FoundWeights | undefined;
    for await (const { step, result } of linesOf<TuneProgress>(await ask('tune'))) {
      if (step) steps.push(step);
      found ??= result;
    }
    const tuning = await tuneWeights(profile, queries);
    expect(found?.scorers).toEqual(tuning.scorers.map(({ id, before, weight }) => ({ id, before, weight })));
    expect([found?.shown, tuning.shown]).toEqual([true, true]);
    expect(found?.evidence.join('\n')).toMatch(
      /30 queries with 240 candidates[^]*held out, 5 folds[^]*95 %: .* p [<0]/,
    );
    expect(steps.length).toBeGreaterThan(3);
  });

  test('runs one search at a time; one without a client ends', async () => {
    const gone = new AbortController();
    const first = await ask('tune', {}, gone.signal);
    const second = await ask('tune');
    expect([second.status, await second.text()]).toEqual([
      409,
      expect.stringContaining('a search is already running in another page'),
    ]);
    gone.abort();
    await expect(first.text()).rejects.toThrow(/abort/i);
    await expect.poll(async () => (await ask('tune')).status).toBe(200);
  });

  test('ask equals assize ask, until there are enough answers and they decide the top; each one is written', async () => {
    const { candidates } = queries[3]!;
    const choose = (a: number, b: number) => (candidates[a]!.b > candidates[b]!.b ? 'a' : 'b');
    const asked = await askWeights(profile, candidates, {}, { ask: ({ indexes }) => choose(...indexes), fewest: 10 });
    const pairs: (readonly [number, number])[] = [];
    let found: FoundWeights | undefined;
    for await (const { step, result } of linesOf<AskedPair>(await ask('ask', { query: 3 }))) {
      found ??= result;
      if (!step) continue;
      pairs.push(step.pair);
      const answer = { question: step.question, reply: choose(...step.pair) };
      expect((await ask('answer', answer)).status).toBe(200);
      expect((await ask('answer', answer)).status).toBe(409);
    }
    expect(pairs).toEqual(asked.answers.map(({ a, b }) => [a, b]));
    expect(found).toMatchObject({ scorers: asked.scorers, shown: asked.stable });
    const written = await readPairs(join(folder.path, 'profile.answers.jsonl'));
    expect(written).toEqual(
      asked.answers.map(({ a, b, choice }) => ({ query: 'q3', a: `q3c${a}`, b: `q3c${b}`, winner: choice })),
    );
    const agrees = (order: readonly number[]) =>
      asked.answers.filter(({ a, b, choice }) => order.indexOf(a) < order.indexOf(b) === (choice === 'a')).length;
    const pipeline = await createPipeline<object>(profile);
    const before = await pipeline.rank(candidates, {});
    const weights = Object.fromEntries(asked.scorers.map(({ id, weight }) => [id, weight]));
    const orders = [before, before.reweigh({ weights })].map(({ ranked }) => ranked.map(({ index }) => index));
    expect(found?.agreement).toEqual({
      pairs: asked.answers.length,
      before: agrees(orders[0]!),
      after: agrees(orders[1]!),
    });
    expect(found?.unseen).toMatchObject({ measure: 'nDCG@10' });
  });

  test('too few answers find nothing, and it says how many more are needed and why', async () => {
    const after = async (answers: number): Promise<FoundWeights | undefined> => {
      let found: FoundWeights | undefined;
      for await (const { step, result } of linesOf<AskedPair>(await ask('ask', { query: 4 }))) {
        found ??= result;
        if (step) await ask('answer', { question: step.question, reply: step.answered < answers ? 'a' : 'stop' });
      }
      return found;
    };
    expect(await after(0)).toEqual({
      by: 'pairs',
      scorers: [],
      evidence: [expect.stringContaining('No question was answered: the weights are unchanged')],
      shown: false,
    });
    const few = { by: 'pairs', count: 4, needed: 10, criteria: 2 };
    expect(await after(4)).toEqual({
      by: 'pairs',
      scorers: [],
      shown: false,
      tooFew: few,
      evidence: [
        '6 more chosen pairs are needed: 10 for 2 criteria, and you have 4. With fewer than 5 for each criterion, some weights agree with almost any choices.',
      ],
    });
  });

  test('pairs of several queries find weights like assize tune does, and more are asked about when it is opened again', async () => {
    for await (const { step } of linesOf<AskedPair>(await ask('ask', { query: 3 }))) {
      if (!step) continue;
      expect(step.answered).toBeGreaterThanOrEqual(10);
      await ask('answer', { question: step.question, reply: 'stop' });
    }
    const response = await ask('tune', { by: 'pairs' });
    let found: FoundWeights | undefined;
    for await (const { result } of linesOf(response)) found ??= result;
    const file = join(folder.path, 'rows.json');
    writeFileSync(
      file,
      JSON.stringify(queries.flatMap(({ id, candidates }) => candidates.map((one) => ({ ...one, query: id })))),
    );
    const dataset = await readDataset(file, { pairs: join(folder.path, 'profile.answers.jsonl'), group: 'query' });
    const tuning = await tuneWeights(profile, dataset.queries, { measure: 'Agreement', loss: 'pairs' });
    expect(found?.scorers).toEqual(tuning.scorers.map(({ id, before, weight }) => ({ id, before, weight })));
  });

  test('too few grades find nothing; equal grades do not count', async () => {
    const find = async (grades: readonly (number | undefined)[]) => {
      const source = { profile, candidates: queries[0]!.candidates, context: {}, grades };
      return new WeightFinder(await StudioSession.open(source)).tune(() => {}, new AbortController().signal);
    };
    const found = await find([1, 0, 1, 0]);
    expect(found).toMatchObject({ scorers: [], tooFew: { by: 'grades', count: 4, needed: 20, criteria: 2 } });
    expect(found.evidence[0]).toMatch(
      /^16 more grades are needed: 20 for 2 criteria, and you have 4\. With fewer than 10/,
    );
    const same = queries.map((query) => ({ ...query, grades: query.candidates.map(() => 1) }));
    const finder = new WeightFinder(await StudioSession.open({ profile, queries: same }));
    const none = await finder.tune(() => {}, new AbortController().signal);
    expect(none).toMatchObject({ scorers: [], tooFew: { areSame: true } });
  });

  test('rejects an unexpected answer, an invalid one, and an end without a search', async () => {
    await expect.poll(async () => (await ask('end-tuning')).status).toBe(409); // 200 while one is running
    expect((await ask('answer', { question: 'x', reply: 'a' })).status).toBe(409);
    expect((await ask('answer', { question: 'x', reply: 'c' })).status).toBe(400);
    expect((await ask('ask', { query: 99 })).status).toBe(404);
  });

  test('without judgements tune is unavailable; too few candidates are reported', async () => {
    const unjudged = await openStudio({ profile, candidates: queries[0]!.candidates.slice(0, 2), context: {} });
    const [origin, token] = unjudged.url.split('/#token=') as [string, string];
    const post = async (path: string) => {
      const init = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' };
      const response = await fetch(`${origin}/api/${path}`, init);
      return [response.status, await response.text()];
    };
    expect(await post('tune')).toEqual([
      409,
      expect.stringContaining('the candidates are not judged: tuning needs judgements'),
    ]);
    expect(await post('ask')).toEqual([422, expect.stringContaining('ASZ554')]);
    await unjudged.close();
  });
});

describe('an ended search', () => {
  const endedAt = async (isThen: (step: TuneProgress) => boolean): Promise<FoundWeights> => {
    const finder = new WeightFinder(await StudioSession.open({ profile, queries }));
    const tell = (step: TuneProgress): void => {
      if (isThen(step)) expect(finder.endTuning()).toBe(true);
    };
    const found = await finder.tune(tell, new AbortController().signal);
    expect(finder.endTuning()).toBe(false);
    return found;
  };

  test('before any result, keeps nothing and reports it', async () => {
    const found = await endedAt(({ task, done }) => task === 'ranking' && done === 3);
    expect(found).toMatchObject({ scorers: [], shown: false });
    expect(found.evidence.join()).toBe('The search was stopped before it found any weights.');
  });

  test('while it fits, keeps the best so far, measured on one held-out part', async () => {
    const { scorers, evidence, shown } = await endedAt(({ task }) => task === 'fitting');
    expect(scorers.find(({ id }) => id === 'a')!.weight).toBeGreaterThan(0.5);
    expect(evidence.join('\n')).toMatch(/^Unfinished: [^]*held out, 1 fold by query: /);
    expect(shown).toBe(false);
  });

  test('while it measures, keeps the result of the whole search', async () => {
    const { scorers, evidence, shown } = await endedAt(({ task, done }) => task.startsWith('measuring') && done === 3);
    const whole = await tuneWeights(profile, queries, { folds: 2, repeats: 1 });
    expect(scorers).toEqual(whole.scorers.map(({ id, before, weight }) => ({ id, before, weight })));
    expect(evidence.join('\n')).toMatch(/^Unfinished: [^]*held out, [34] folds by query: /);
    expect(shown).toBe(false);
  });
});
