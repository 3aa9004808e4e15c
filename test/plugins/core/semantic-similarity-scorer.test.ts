import { describe, expect, it } from 'vitest';
import { SemanticSimilarityScorer } from '../../../plugins/core/semantic-similarity-scorer.js';
import type { Context, Embedders, Run, Score } from 'assize/sdk';
import { explained, problems } from './ask.js';

const VECTORS: Readonly<Record<string, number[]>> = {
  cat: [1, 0],
  kitten: [0.8, 0.6],
  stock: [0, 2],
  against: [-1, 0],
};

/** An embedder of four words that records the texts it is called with. */
function words(): { readonly asked: string[]; readonly embedders: Embedders } {
  const asked: string[] = [];
  const embed = async (texts: readonly string[]) => {
    asked.push(...texts);
    return texts.map((text) => Float32Array.from(VECTORS[text] ?? []));
  };
  return { asked, embedders: { open: () => ({ name: 'words', dimensions: 2, embed }) } };
}

function runOf(candidates: readonly unknown[], context: Context): Run {
  const { signal: abort } = new AbortController();
  const none = (): never => {
    throw new Error('this test has no children');
  };
  return {
    candidates,
    now: 0,
    abort,
    context,
    signals: {},
    measures: {},
    child: none,
    expression: none,
    idOf: () => undefined,
    partial: () => {},
  };
}

const { params: schema } = SemanticSimilarityScorer.meta;
async function all(scorer: SemanticSimilarityScorer, raw: object, candidates: readonly unknown[], context: Context) {
  const score: Score<unknown> = await scorer.prepare(schema.parse(raw), runOf(candidates, context));
  const values = candidates.map((candidate, i): unknown => {
    try {
      return score(candidate, i);
    } catch (error) {
      return error;
    }
  });
  return { score, values };
}

const texts = ['cat', 'kitten', 'stock', 'against'].map((text) => ({ text }));

describe('SemanticSimilarityScorer', () => {
  it('is the cosine with the query', async () => {
    const { values } = await all(new SemanticSimilarityScorer(words().embedders), { text: 'text' }, texts, {
      query: 'cat',
    });
    expect(values).toEqual([1, expect.closeTo(0.8, 6), 0, -1]);
  });

  it('accepts vectors of the candidates, of the query, or of both', async () => {
    const { asked, embedders } = words();
    const vectors = [{ v: [3, 0] }, { v: new Float32Array([0, 1]) }, { v: [1, 2, 3] }, { v: 'x' }, {}, { v: [0, 0] }];
    const scorer = new SemanticSimilarityScorer(embedders);
    const both = await all(scorer, { vector: 'v', query_vector: 'q' }, vectors, { q: [1, 0] });
    expect(both.values).toEqual([1, 0, expect.any(RangeError), expect.any(TypeError), undefined, 0]);
    expect(asked).toEqual([]);
    const one = await all(scorer, { vector: 'v' }, vectors.slice(0, 2), { query: 'stock' });
    expect(one.values).toEqual([0, 1]);
    const other = await all(scorer, { text: 'text', query_vector: 'q' }, texts.slice(0, 1), { q: [0, 1] });
    expect(other.values).toEqual([0]);
  });

  it('abstains without a query, and without a text, and then embeds nothing', async () => {
    const { asked, embedders } = words();
    for (const context of [{}, { query: '  ' }]) {
      const { values } = await all(new SemanticSimilarityScorer(embedders), { text: 'text' }, texts, context);
      expect(values).toEqual([undefined, undefined, undefined, undefined]);
    }
    expect(asked).toEqual([]);
    const scorer = new SemanticSimilarityScorer(embedders);
    expect((await all(scorer, { text: 'text' }, [{}], { query: 'cat' })).values).toEqual([undefined]);
    await expect(all(scorer, { text: 'text' }, texts, { query: 7 })).rejects.toThrow(
      "the context's query: expected a string, found the number 7",
    );
  });

  it('reports the reason', async () => {
    const scorer = new SemanticSimilarityScorer(words().embedders);
    const { score } = await all(scorer, { text: 'text' }, [texts[0], {}], { query: 'cat' });
    expect(explained(score, texts[0]).notes).toEqual([['similar', { similarity: 1 }]]);
    expect(explained(score, {}, 1).notes).toEqual([['absent']]);
    const silent = await all(scorer, { text: 'text' }, texts, {});
    expect(explained(silent.score, texts[0]).notes).toEqual([['no_query', { query: 'query' }]]);
  });

  it('requires either text or vector, and reports an unknown embedder', () => {
    expect(problems(SemanticSimilarityScorer, {})).toEqual([': missing text or vector']);
    expect(problems(SemanticSimilarityScorer, { text: 'a', vector: 'b' })).toEqual([
      ': expected either text or vector, found both',
    ]);
    const open = (): never => {
      throw new Error("no embedder is called 'x'");
    };
    const scorer = new SemanticSimilarityScorer({ open });
    expect(() => scorer.check(schema.parse({ text: 'a', embedder: 'x' }))).toThrow('no embedder');
    expect(() => scorer.check(schema.parse({ vector: 'a', query_vector: 'b' }))).not.toThrow();
  });
});
