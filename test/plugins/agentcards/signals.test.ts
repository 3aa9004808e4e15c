import { describe, expect, it } from 'vitest';
import { createPipeline } from 'assize';
import { graphOf } from './rank.js';

/** The value of a signal of the plugin, as the profile's expressions read it. */
async function signal(use: { class: string; params?: object }, context: object, read: string): Promise<number> {
  const pipeline = await createPipeline<object>({
    plugins: ['agentcards'],
    signals: [{ id: 'asked', ...use, params: { ...use.params }, on_error: 'fail' }],
    tier2_scorers: [{ id: 'read', expr: read, on_absent: -1 }],
  });
  const row = await pipeline.score({ id: 'x' }, { ...context });
  return 'score' in row ? row.score : Number.NaN;
}

const stages = [
  { name: 'cold', below: 0.01, values: { text: 0.85, pool: 1.5 } },
  { name: 'growing', below: 0.1, values: { text: 0.65, pool: 2 } },
  { name: 'mature', values: { text: 0.55, pool: 3 } },
];

describe('StageSignal', () => {
  const at = (density: unknown, params: object = { stages }, read = 'signals.asked.text') =>
    signal({ class: 'StageSignal', params: { by: 'context.density', ...params } }, { density }, read);

  it('has stages with exclusive upper bounds', async () => {
    expect(await at(0.0099)).toBe(0.85);
    expect(await at(0.01)).toBe(0.65);
    expect(await at(0.0999)).toBe(0.65);
    expect(await at(0.1)).toBe(0.55);
    expect(await at(1, { stages }, 'ceil(10 * signals.asked.pool)')).toBe(30);
    expect(await at(0, { stages }, 'signals.asked.stage == "cold" ? 1.0 : 0.0')).toBe(1);
  });

  it('interpolates between anchors, and is constant beyond them', async () => {
    const anchors = [
      { at: 0.5, values: { text: 0.55, path: 0.15 } },
      { at: 1, values: { text: 0.85, path: 0.1 } },
    ];
    const line = (number: number, read?: string) => at(number, { anchors }, read);
    expect(await line(0.5)).toBe(0.55);
    expect(await line(0.75)).toBeCloseTo(0.7, 12);
    expect(await line(0.75, 'signals.asked.path')).toBeCloseTo(0.125, 12);
    expect(await line(-3)).toBe(0.55);
    expect(await line(7)).toBe(0.85);
  });

  it('is absent without its number, and fails on other types', async () => {
    expect(await at(undefined)).toBe(-1);
    await expect(at('dense')).rejects.toThrow('a number');
    await expect(at(Number.NaN)).rejects.toThrow('expected a number');
  });

  it('needs its stages in order, and either stages or anchors', async () => {
    await expect(at(0, {})).rejects.toThrow('expected either stages or anchors');
    await expect(at(0, { stages: stages.toReversed() })).rejects.toThrow('expected');
    await expect(at(0, { stages: stages.slice(0, 2) })).rejects.toThrow('expected no below in the last stage');
    const anchors = [
      { at: 0, values: { a: 1 } },
      { at: 1, values: { b: 1 } },
    ];
    await expect(at(0, { anchors })).rejects.toThrow('expected the same names');
  });
});

describe('GraphSignal', () => {
  it('measures the graph; without one, all values are 0', async () => {
    const graph = graphOf('(c)', 'a > b', 'b > a', 'c > a', 'a > a');
    const of = (field: string, context: object = { graph }) =>
      signal({ class: 'GraphSignal' }, context, `signals.asked.${field}`);
    expect([await of('nodes'), await of('edges'), await of('capabilities'), await of('density')]).toEqual([
      3, 3, 1, 0.5,
    ]);
    expect([await of('nodes', {}), await of('density', {})]).toEqual([0, 0]);
  });
});

describe('ClusterSignal', () => {
  it('lists the clusters, unlinked nodes, and the eigenvalues', async () => {
    const graph = graphOf('(c)', '(d)', 'c > a', 'd > b', 'e');
    const of = (read: string) => signal({ class: 'ClusterSignal' }, { graph }, read);
    expect(await of('signals.asked.count')).toBe(2);
    expect(await of('signals.asked.members[0] == ["a", "c"] && signals.asked.unlinked == ["e"] ? 1.0 : 0.0')).toBe(1);
    expect(await of('signals.asked.eigenvalues[2]')).toBe(1); // of unlinked nodes
    expect(await of('signals.asked.eigenvalues[3]')).toBeCloseTo(2, 9);
  });

  it('finds no clusters without links', async () => {
    const of = (read: string) => signal({ class: 'ClusterSignal' }, { graph: graphOf('a', '(c)') }, read);
    expect(await of('signals.asked.count')).toBe(0);
    expect(await of('signals.asked.eigenvalues == [1.0, 1.0] ? 1.0 : 0.0')).toBe(1);
  });

  it('finds no more clusters than linked capabilities', async () => {
    const graph = graphOf('(c)', 'c > a', 'w', 'x', 'y', 'z');
    expect(await signal({ class: 'ClusterSignal' }, { graph }, 'signals.asked.count')).toBe(1);
  });

  it('knows an eigenvalue to 1e-12 if capabilities use the same tools, whose singular value is 0', async () => {
    const uses = ['c1', 'c2', 'c3'].flatMap((id) => [`(${id})`, `${id} > a`, `${id} > b 0.3`, `${id} > d 0.7`]);
    const graph = graphOf(...uses, '(c4)', 'c4 > d', 'c4 > e');
    for (const [k, expected] of [1, 1, 1, 1].entries()) {
      // oxlint-disable-next-line no-await-in-loop -- four small runs
      const found = await signal({ class: 'ClusterSignal' }, { graph }, `signals.asked.eigenvalues[${k + 2}]`);
      expect(found).toBeCloseTo(expected, 12);
    }
  });
});
