import { describe, expect, it } from 'vitest';
import { first, scoredTraces, vectors, withoutEmbedder, withStoredEmbeddings } from './knowledgepulse.js';
import { readFloats } from './read.js';

const fixture = (name: string): string => new URL(`../fixtures/knowledgepulse/${name}`, import.meta.url).pathname;

describe('the preset knowledgepulse agrees with the SDK', () => {
  it('on synthetic traces, without an embedder', async () => {
    expect(await vectors(fixture('vectors.jsonl'))).toEqual({ passed: 40, failed: [], skipped: [] });
  });

  it('on real traces, without an embedder', async () => {
    const scored = await scoredTraces(fixture('traces.jsonl'), fixture('scores.no-embedder.jsonl'));
    expect(await withoutEmbedder(scored)).toEqual({ passed: 60, failed: [], skipped: [] });
  });

  it('on real traces with stored embeddings, as one batch and as a call each', async () => {
    const scored = await scoredTraces(fixture('traces.jsonl'), fixture('scores.minilm.jsonl'));
    const tally = await withStoredEmbeddings(scored, await readFloats(fixture('embeddings.minilm.f32')));
    expect(tally).toEqual({ passed: 120, failed: [], skipped: [] });
  });

  it('on the first traces alone, whose scores do not depend on later ones', async () => {
    const scored = await scoredTraces(fixture('traces.jsonl'), fixture('scores.minilm.jsonl'));
    const embeddings = await readFloats(fixture('embeddings.minilm.f32'));
    const width = embeddings.length / scored.traces.length;
    const tally = await withStoredEmbeddings(first(scored, 20), embeddings.subarray(0, 20 * width));
    expect(tally).toEqual({ passed: 40, failed: [], skipped: [] });
  });
});
