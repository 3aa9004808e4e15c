import { describe, expect, it } from 'vitest';
import { NoveltyScorer } from '../../../plugins/core/nearest-neighbour.js';
import { z } from 'assize/sdk';
import { LexicalProvider } from '../../../src/services/embedder/lexical-embedder.js';
import { problems } from './ask.js';
import { noGraphs, runOn } from './similarity-run.js';

const lexical = runOn(() => new NoveltyScorer(new LexicalProvider(), noGraphs), NoveltyScorer.meta);

describe('the fields that NoveltyScorer reads', () => {
  it('joins the texts of several paths; missing ones are empty', async () => {
    const seen: string[] = [];
    const embed = async (texts: readonly string[]) => {
      seen.push(...texts);
      return texts.map(() => Float32Array.of(1));
    };
    const spy = runOn(
      () => new NoveltyScorer({ open: () => ({ name: 'spy', dimensions: 1, embed }) }, noGraphs),
      NoveltyScorer.meta,
    );
    const steps = [{ content: 'one' }, {}, { content: null }, { content: 4 }];
    const { values } = await spy({ text: ['task.objective', 'steps[].content'] }, [
      { task: { objective: 'goal' }, steps },
      { steps },
      { task: { objective: 'goal' } },
      { task: { objective: '' }, steps: [] },
      { task: {}, steps: [{}] },
      {},
    ]);
    expect(seen).toEqual(['goal one 4', ' one 4', 'goal ', ' ']);
    expect(values).toEqual([undefined, 0, 0, 0, undefined, undefined]);
    const { values: direct } = await spy({ text: 'parts' }, [{ parts: ['a', null, 'b'] }]);
    expect([direct, seen.at(-1)]).toEqual([[undefined], 'a  b']);
  });

  it('accepts vectors of the candidates, and then uses no embedder', async () => {
    const own = runOn(() => new NoveltyScorer({ open: () => expect.unreachable() }, noGraphs), NoveltyScorer.meta);
    const candidates = [{ v: [1, 0] }, {}, { v: Float32Array.of(0, 1) }, { v: Float64Array.of(-1, 0) }, { v: [3, 4] }];
    expect((await own({ vector: 'v' }, candidates)).values).toEqual([
      undefined,
      undefined,
      1,
      1,
      expect.closeTo(0.2, 12),
    ]);
  });

  it('reports a mistake at its candidate, and does not update its memory from it', async () => {
    const own = await lexical({ vector: 'v' }, [
      { v: [1, 0] },
      { v: [1, 0, 0] },
      { v: 'x' },
      { v: [1, '0'] },
      { v: [1, Number.NaN] },
      { v: [1, 0] },
    ]);
    expect(own.values).toEqual([
      undefined,
      new RangeError('Expected 2 dimensions, got 3'),
      new TypeError('v: expected a list of numbers, found the string "x"'),
      new TypeError('v: expected a list of numbers, found a list'),
      new RangeError('Expected a vector of finite numbers'),
      0,
    ]);
    expect(own.memory.size()).toBe(2);
    const texts = await lexical({ text: 'text', embedder: 'lexical' }, [
      { text: 'a' },
      { text: { no: 'text' } },
      { text: 'a' },
    ]);
    expect(texts.values).toEqual([
      undefined,
      new TypeError('text: expected a string, found a map'),
      expect.closeTo(0, 6),
    ]);
  });

  it('reports a first vector of a wrong width if the width is configured', async () => {
    const { values, memory } = await lexical({ vector: 'v', dimensions: 2 }, [
      { v: [1] },
      { v: [1, 0] },
      { v: [0, 1] },
    ]);
    expect(values).toEqual([new RangeError('Expected 2 dimensions, got 1'), undefined, 1]);
    expect(memory.size()).toBe(2);
    expect(problems(NoveltyScorer, { vector: 'v', dimensions: 0 })).toHaveLength(1);
    expect(problems(NoveltyScorer, { text: 'a', dimensions: 2 })).toEqual([
      ': expected dimensions only beside vector: an embedder has its own',
    ]);
  });

  it('requires exactly one of text and vector', () => {
    expect(problems(NoveltyScorer, {})).toEqual([': missing text or vector']);
    expect(problems(NoveltyScorer, { text: 'a', vector: 'b' })).toEqual([
      ': expected either text or vector, found both',
    ]);
    expect(problems(NoveltyScorer, { max_elements: 0 })).toHaveLength(2);
    expect(problems(NoveltyScorer, { text: 'a', embeder: 'lexical' })).toHaveLength(1);
    expect(problems(NoveltyScorer, { text: ['a', 'b[].c'], ttl: '7d', max_elements: 5 })).toEqual([]);
    expect(() => z.toJSONSchema(NoveltyScorer.meta.params, { io: 'input' })).not.toThrow();
  });
});
