/* The preset trace-quality: how well it tells failed runs of agents from successful ones, and that it reads no outcome. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { auc } from '../../../plugins/@assize/evaluate/src/measures/labelled-measures.js';
import { hasData, readTraces } from '../../evaluation/tuned-data.js';

interface Trace {
  readonly success: boolean;
  readonly metadata: { readonly framework: string };
  readonly task: object;
  readonly steps: readonly object[];
}

const fixture = readFileSync(new URL('../../fixtures/agent-traces/traces.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Trace);

const preset = await createPipeline('trace-quality');

async function areaOf(candidates: readonly object[], grades: readonly (number | undefined)[]): Promise<number> {
  const { matrix } = await preset.rank(candidates);
  expect(matrix.index).toHaveLength(candidates.length);
  return auc({ scores: [...matrix.totals], positive: Array.from(matrix.index, (index) => grades[index] === 1) });
}

describe('the preset trace-quality', () => {
  test('tells failed runs of one benchmark from successful ones', async () => {
    const candidates = fixture.map(({ metadata, task, steps }) => ({ metadata, task, steps }));
    const area = await areaOf(
      candidates,
      fixture.map(({ success }) => Number(success)),
    );
    expect(area).toBeGreaterThan(0.93);
  });

  test.skipIf(!hasData('traces'))('tells them on all traces (skipped without ../shared)', async () => {
    const [all] = await readTraces(true);
    expect(await areaOf(all!.candidates, all!.grades)).toBeGreaterThan(0.88);
  });

  test('gives the same scores whatever the outcome', async () => {
    const flipped = fixture.map((trace) => ({
      ...trace,
      metadata: { ...trace.metadata, success: !trace.success, quality_score: 0.5 },
      outcome: { result_summary: '', confidence: 0.5 },
    }));
    const [before, after] = [await preset.rank(fixture), await preset.rank(flipped)];
    expect([...after.matrix.totals]).toEqual([...before.matrix.totals]);
  });

  test('refuses a trace without steps', async () => {
    const { ranked, refused } = await preset.rank([{ id: 'a', steps: [] }, { id: 'b' }]);
    expect(ranked).toEqual([]);
    expect(refused.map(({ id, by }) => [id, by])).toEqual([
      ['a', 'no_steps'],
      ['b', 'no_steps'],
    ]);
  });
});
