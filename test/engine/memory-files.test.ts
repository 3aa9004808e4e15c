import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { type BatchScorer, defineScorer, defineSignal, z } from 'assize/sdk';
import { messageOf } from '../properties/ranked.js';
import { rememberer } from './units.js';
import { temporaryFolder } from '../temporary-folder.js';

const root = temporaryFolder('memory-files-');

let folders = 0;
const newFolder = (): string => {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  return folder;
};

const profile = (params: object = {}, memory = './seen.bin'): ProfileInput => ({
  tier2_scorers: [{ id: 'novelty', class: 'NoveltyScorer', params: { vector: 'v', ...params }, memory, on_absent: 1 }],
});
const [east, north, eastAgain, northAgain] = [
  { id: 'east', v: [1, 0] },
  { id: 'north', v: [0, 1] },
  { id: 'another', v: [1, 0] },
  { id: 'one more', v: [0, 1] },
];
const told = async (work: Promise<unknown>, folder: string): Promise<string> =>
  (await messageOf(work)).replaceAll(`${folder}/`, '');
const scoreOf = async (ranking: Promise<{ ranked: readonly { score: number }[] }>) => (await ranking).ranked[0]?.score;

describe('a memory in a file', () => {
  test('outlives its pipeline, also for a veto', async () => {
    const folder = newFolder();
    const memory = './let-through.bin';
    const both: ProfileInput = {
      tier1_scorers: [{ id: 'repeated', class: 'SimilarityVeto', params: { vector: 'v' }, memory }],
      ...profile(),
    };
    const open = () => createPipeline(both, { folder });
    expect(await scoreOf((await open()).rank([east]))).toBe(1);
    const again = await open();
    expect((await again.rank([east])).refused.map(({ by }) => by)).toEqual(['repeated']);
    expect(await scoreOf(again.rank([{ id: 'near', v: [1, 1] }]))).toBeCloseTo(1 - Math.SQRT1_2, 12);
  });

  test('is read and written from the folder of the file that names it', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'team'));
    writeFileSync(join(folder, 'team/base.yaml'), JSON.stringify(profile()));
    writeFileSync(join(folder, 'own.yaml'), 'extends: [./team/base.yaml]\n');
    await (await createPipeline('./own.yaml', { folder })).rank([east]);
    expect(existsSync(join(folder, 'team/seen.bin'))).toBe(true);
  });

  test('is not updated by an explanation, a failed run or an aborted run', async () => {
    const folder = newFolder();
    const failing: ProfileInput = { ...profile(), adjustments: [{ id: 'r', multiply: 'candidate.bad' }] };
    const pipeline = await createPipeline(failing, { folder });
    await pipeline.rank([east], {}, { updateMemory: false });
    await expect(pipeline.rank([east], { now: 'never' })).rejects.toThrow('now');
    await expect(pipeline.rank([east], {}, { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
    expect(existsSync(join(folder, 'seen.bin'))).toBe(false);
    await pipeline.rank([east]);
    expect(existsSync(join(folder, 'seen.bin'))).toBe(true);
  });

  test('is shared by pipelines that run one after the other', async () => {
    const folder = newFolder();
    const [one, two] = [await createPipeline(profile(), { folder }), await createPipeline(profile(), { folder })];
    await one.rank([east]);
    expect(await scoreOf(two.rank([eastAgain]))).toBe(0);
    await two.rank([north]);
    expect(await scoreOf(one.rank([northAgain]))).toBe(0);
  });

  test('of two concurrent pipelines, the second to end runs again with what the first has added', async () => {
    const folder = newFolder();
    const units = { Wait: waitingFor(2) };
    const waiting: ProfileInput = { ...profile(), measures: [{ id: 'wait', class: 'Wait' }] };
    const [one, two] = [
      await createPipeline(waiting, { folder, units }),
      await createPipeline(waiting, { folder, units }),
    ];
    const scores = await Promise.all([scoreOf(one.rank([east])), scoreOf(two.rank([eastAgain]))]);
    expect(scores.toSorted()).toEqual([0, 1]);
    expect(readdirSync(folder)).toEqual(['seen.bin']);
    expect(await scoreOf(one.rank([{ id: 'third', v: [1, 1] }]))).toBeCloseTo(1 - Math.SQRT1_2, 12);
  });

  test('of a run that is repeated: signals are computed once', async () => {
    const folder = newFolder();
    let signals = 0;
    class Count {
      static readonly meta = defineSignal({ summary: 'Counts.', params: z.strictObject({}) });
      prepare(): number {
        return ++signals;
      }
    }
    const given: ProfileInput = {
      ...profile(),
      signals: [{ id: 'count', class: 'Count' }],
      measures: [{ id: 'wait', class: 'Wait' }],
    };
    const units = { Wait: waitingFor(2), Count };
    const open = () => createPipeline(given, { folder, units });
    const [one, two] = [await open(), await open()];
    const scores = await Promise.all([scoreOf(one.rank([east])), scoreOf(two.rank([eastAgain]))]);
    expect(signals).toBe(2);
    expect(scores.toSorted()).toEqual([0, 1]);
  });

  test('runs of one pipeline queue, and each updates it after the previous one', async () => {
    const folder = newFolder();
    const pipeline = await createPipeline(profile(), { folder });
    const all = [east, eastAgain, north, northAgain];
    const rankings = await Promise.all(all.map((candidate) => pipeline.rank([candidate])));
    expect(rankings.map(({ ranked }) => ranked[0]?.score)).toEqual([1, 0, 1, 0]);
  });

  test('if it cannot be written, the run fails and updates nothing, not even this pipeline', async () => {
    const folder = newFolder();
    const pipeline = await createPipeline(profile({}, './data/seen.bin'), { folder });
    expect(await told(pipeline.rank([east]), folder)).toBe(
      'AssizeError: tier2_scorers[0].memory error ASZ106 cannot write data/seen.bin: its folder does not exist\n' +
        '  create the folder, or name another file',
    );
    mkdirSync(join(folder, 'data'));
    expect(await scoreOf(pipeline.rank([east]))).toBe(1);
  });

  test('of another unit, model or width is rejected and not changed', async () => {
    const folder = newFolder();
    await (await createPipeline(profile(), { folder })).rank([east]);
    const before = readFileSync(join(folder, 'seen.bin'));
    const refusal = async (given: ProfileInput) => told((await createPipeline(given, { folder })).rank([east]), folder);
    expect(await refusal(profile({ dimensions: 3 }))).toContain(
      'ASZ108 the memory file seen.bin cannot be used: it holds vectors of 2 dimensions, and 3 are expected',
    );
    const lexical = { vector: undefined, text: 'id', embedder: 'lexical' };
    expect(await refusal(profile(lexical))).toContain(
      'it was made with vectors of candidates, but this entry uses lexical:512',
    );
    const veto = [{ id: 'v', class: 'SimilarityVeto', params: { vector: 'v' }, memory: './seen.bin' }];
    expect(await refusal({ tier1_scorers: veto })).toContain(
      'it is the memory of a core/NoveltyScorer, expected that of a core/SimilarityVeto',
    );
    expect(readFileSync(join(folder, 'seen.bin'))).toEqual(before);
  });

  test('belongs to one entry, even through different paths', async () => {
    const folder = newFolder();
    symlinkSync('seen.bin', join(folder, 'link.bin'));
    const [novelty] = profile().tier2_scorers!;
    const both = { tier2_scorers: [novelty!, { ...novelty!, id: 'other', memory: './link.bin' }] };
    const pipeline = await createPipeline(both, { folder });
    expect(await told(pipeline.rank([east]), folder)).toContain('ASZ106 cannot use link.bin: it is a link to seen.bin');
    await (await createPipeline(profile(), { folder })).rank([east]);
    expect(await told(pipeline.rank([east]), folder)).toBe(
      'AssizeError: tier2_scorers[1].memory error ASZ105 the memory file link.bin is already used by tier2_scorers[0].memory, under the path seen.bin\n' +
        '  each entry needs its own file',
    );
  });

  test('is read again by a run after one that could not be written', async () => {
    const folder = newFolder();
    const pipeline = await createPipeline(profile(), { folder });
    await pipeline.rank([east]);
    linkSync(join(folder, 'seen.bin'), join(folder, 'other.bin'));
    await expect(pipeline.rank([north])).rejects.toThrow('2 names');
    rmSync(join(folder, 'other.bin'));
    expect(await scoreOf(pipeline.rank([eastAgain]))).toBe(0);
    expect(await scoreOf(pipeline.rank([north]))).toBe(1);
  });

  test('is neither read nor written by a what-if', async () => {
    const folder = newFolder();
    const file = join(folder, 'seen.bin');
    const scorers = [...profile().tier2_scorers!, { id: 'one', expr: '1.0' }];
    const pipeline = await createPipeline<{ id: string; v: number[] }>({ tier2_scorers: scorers }, { folder });
    await pipeline.rank([east]);
    const ranking = await pipeline.rank([eastAgain, north]);
    writeFileSync(file, 'spoilt');
    const { ranked } = await ranking.whatIf({ without: 'one' });
    expect(ranked.map(({ id, score }) => [id, score])).toEqual([
      ['north', 1],
      ['another', 0],
    ]);
    expect(readFileSync(file, 'utf8')).toBe('spoilt');
  });

  test('with a record that was written only in part: the next update warns and drops it', async () => {
    const folder = newFolder();
    await (await createPipeline(profile(), { folder })).rank([east]);
    appendFileSync(join(folder, 'seen.bin'), Buffer.from([9, 0, 0, 0, 246]));
    const pipeline = await createPipeline(profile(), { folder });
    const reading = await pipeline.rank([eastAgain], {}, { updateMemory: false });
    expect(reading.warnings).toEqual([]);
    const { warnings, ranked } = await pipeline.rank([eastAgain]);
    expect(ranked[0]?.score).toBe(0);
    expect(warnings).toMatchObject([{ code: 'ASZ730', path: 'tier2_scorers[0].memory' }]);
    expect((await pipeline.rank([north])).warnings).toEqual([]);
    expect(await scoreOf((await createPipeline(profile(), { folder })).rank([northAgain]))).toBe(0);
  });

  test('may be read under other limits', async () => {
    const folder = newFolder();
    await (await createPipeline(profile(), { folder })).rank([east, north]);
    const fewer = await createPipeline(profile({ max_elements: 1 }), { folder });
    expect(await scoreOf(fewer.rank([eastAgain], {}, { updateMemory: false }))).toBe(1);
    expect(await scoreOf(fewer.rank([northAgain], {}, { updateMemory: false }))).toBe(0);
  });
});

describe('a memory file is a load error', () => {
  const problem = async (given: ProfileInput) =>
    (await messageOf(createPipeline(given, { folder: root, units: { Seen: rememberer() } }))).replaceAll(root, '');
  const [scorer] = profile().tier2_scorers!;

  test('if the unit has no memory, or one that cannot be stored', async () => {
    const composite = {
      id: 'c',
      class: 'CompositeScorer',
      params: { scorers: [{ class: 'NoveltyScorer', params: { vector: 'v' } }] },
      memory: './c.bin',
    };
    const scorers = [
      { id: 'e', expr: '1.0', memory: './e.bin' },
      composite,
      { id: 's', class: 'Seen', memory: './s.bin' },
    ];
    expect(await problem({ tier2_scorers: scorers })).toMatchInlineSnapshot(`
      "AssizeError: tier2_scorers[0].memory error ASZ105 an expression has no memory
        remove it
      tier2_scorers[1].memory error ASZ105 CompositeScorer has no memory
        a scorer inside it has the memory: make that scorer an entry of its own
      tier2_scorers[2].memory error ASZ105 the memory of Seen cannot be stored
        declare memory.file: { version, store, restore } in its meta
      3 problems"
    `);
  });

  test('if another entry uses it', async () => {
    expect(await problem({ tier2_scorers: [scorer!, { ...scorer!, id: 'other' }] })).toMatchInlineSnapshot(`
      "AssizeError: tier2_scorers[1].memory error ASZ105 the memory file /seen.bin is already used by novelty
        each entry needs its own file"
    `);
  });
});

/** A measure that is ready after this number of calls. */
function waitingFor(count: number) {
  let asked = 0;
  let open = (): void => {};
  const all = new Promise<void>((resolve) => void (open = resolve));
  return class implements BatchScorer<object> {
    static readonly meta = defineScorer({ summary: 'Waits.', params: z.strictObject({}) });
    async prepare() {
      asked += 1;
      if (asked >= count) open();
      await all;
      return () => 0;
    }
  };
}
