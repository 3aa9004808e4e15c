import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AskedPair, FoundWeights, TuneProgress } from '../../../src/studio/data/found-weights.js';
import { openStudio, type Studio } from '../../../src/studio/index.js';
import { askWeights, tuneWeights } from '../../../src/tune/index.js';
import { newFolder } from '../../workers/folder.js';

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

describe('what finds weights in a studio', () => {
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

  test('tune finds what assize tune does, tells its steps, and writes nothing', async () => {
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
      /30 queries with 240 candidates[^]*kept back, 5 folds[^]*95 %: .* p [<0]/,
    );
    expect(steps.length).toBeGreaterThan(3);
  });

  test('one search at a time; one that nobody waits for ends', async () => {
    const gone = new AbortController();
    const first = await ask('tune', {}, gone.signal);
    const second = await ask('tune');
    expect([second.status, await second.text()]).toEqual([409, expect.stringContaining('being found already')]);
    gone.abort();
    await expect(first.text()).rejects.toThrow(/abort/i);
    await expect.poll(async () => (await ask('tune')).status).toBe(200);
  });

  test('ask asks what assize ask does, until the answers decide the top', async () => {
    const { candidates } = queries[3]!;
    const choose = (a: number, b: number) => (candidates[a]!.b > candidates[b]!.b ? 'a' : 'b');
    const asked = await askWeights(profile, candidates, { ask: ({ indexes }) => choose(...indexes) });
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
  });

  test('an answer that nobody waits for, and one that is none', async () => {
    expect((await ask('answer', { question: 'x', reply: 'a' })).status).toBe(409);
    expect((await ask('answer', { question: 'x', reply: 'c' })).status).toBe(400);
    expect((await ask('ask', { query: 99 })).status).toBe(404);
  });

  test('without judgements there is nothing to tune by; too few candidates are said', async () => {
    const unjudged = await openStudio({ profile, candidates: queries[0]!.candidates.slice(0, 2), context: {} });
    const [origin, token] = unjudged.url.split('/#token=') as [string, string];
    const post = async (path: string) => {
      const init = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' };
      const response = await fetch(`${origin}/api/${path}`, init);
      return [response.status, await response.text()];
    };
    expect(await post('tune')).toEqual([409, expect.stringContaining('nobody judged')]);
    expect(await post('ask')).toEqual([422, expect.stringContaining('ASZ554')]);
    await unjudged.close();
  });
});
