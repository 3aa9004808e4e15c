import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { documentCandidates, relevantDocuments } from '../../src/adapters/rank-documents.js';

const serve = { relevance: 'score' } as const;
const byLength = { id: 'length', expr: 'size(candidate.text) * 1.0' };
const relevant = async (profile: ProfileInput, texts: readonly string[]) => {
  const pipeline = await createPipeline(profile);
  return relevantDocuments(await pipeline.rank(documentCandidates(texts, pipeline.serve.text)), pipeline.serve);
};

test('keeps the order of the selection, even if it is not by score', async () => {
  const select = { top: 3, pack: { cost: '1', budget: 3, class: 'GreedyPack' }, place: { class: 'UShaped' } };
  const profile: ProfileInput = { serve, plugins: ['cupel'], tier2_scorers: [byLength], select };
  const documents = await relevant(profile, ['a', 'bb', 'ccc', '']);
  expect(documents.map(({ index, relevance }) => [index, relevance])).toEqual([
    [2, 3],
    [0, 1],
    [1, 2],
  ]);
});

test('pinned documents get the best score, or 1 if there is none', async () => {
  const profile: ProfileInput = { serve, candidate: { pinned: 'candidate.text == "p"' }, tier2_scorers: [byLength] };
  expect(await relevant(profile, ['aaa', 'p'])).toEqual([
    { index: 1, relevance: 3, score: 3 },
    { index: 0, relevance: 3, score: 3 },
  ]);
  expect(await relevant(profile, ['p'])).toEqual([{ index: 0, relevance: 1, score: 1 }]);
});

test('a document that only a fallback selected gets 0; a candidate that a fallback generated is not a document', async () => {
  const none = { tier1_scorers: [{ id: 'all', expr: 'true' }], tier2_scorers: [byLength] };
  expect(await relevant({ ...none, fallback: [{ use: '@0' }] }, ['a'])).toEqual([{ index: 0, relevance: 0 }]);
  const closing = { id: 'closing', focus: { class: 'OpenFocus', params: { focus_type: 'closing', text: 'Closing' } } };
  const made = { ...none, plugins: ['interview'], strategies: [closing], fallback: [{ use: 'closing' }] };
  expect(await relevant(made, ['a'])).toEqual([]);
});

test.each(['clamp', 'max', 'sigmoid'] as const)('%s keeps scores within 0 to 1 and in order', async (by) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), async (scores) => {
      const pipeline = await createPipeline({
        serve: { relevance: by },
        candidate: { pinned: 'has(candidate.keep)' },
        tier2_scorers: [{ id: 'own', expr: 'candidate.own' }],
      });
      const documents = [...scores.map((own) => ({ own })), { keep: true }];
      const rows = relevantDocuments(await pipeline.rank(documents), pipeline.serve);
      for (const { relevance } of rows) expect(relevance >= 0 && relevance <= 1).toBe(true);
      const relevances = rows.map(({ relevance }) => relevance);
      expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
    }),
    { numRuns: 50 },
  );
});

test('maps documents to candidates by the named field', () => {
  const kept = { body: 'x', text: 'y' };
  const bare = { url: 'u' };
  expect(documentCandidates(['a', { text: 'b', n: 1 }, kept, bare], 'body')).toEqual([
    { body: 'a' },
    { body: 'b', text: 'b', n: 1 },
    kept,
    bare,
  ]);
  expect(documentCandidates([kept], 'body')[0]).toBe(kept);
});
