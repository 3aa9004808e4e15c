import { describe, expect, test } from 'vitest';
import { createPipeline, diffProfiles, diffRankings, type ProfileInput, rankFile } from 'assize';
import { messageOf } from '../properties/ranked.js';

const profile: ProfileInput = { tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }], select: { top: 2 } };
const candidates = [{ stars: 1 }];
const pipeline = await createPipeline(profile);

/** Options that no type allows, but plain JavaScript does. */
type Loose = (options: never) => unknown;
const CALLS: Readonly<Record<string, Loose>> = {
  rank: (options) => pipeline.rank(candidates, {}, options),
  rankSync: (options) => pipeline.rankSync(candidates, {}, options),
  score: (options) => pipeline.score({ stars: 1 }, {}, options),
  scoreSync: (options) => pipeline.scoreSync({ stars: 1 }, {}, options),
  rankStream: (options) => pipeline.rankStream(candidates, {}, options),
  scoreStream: (options) => pipeline.scoreStream(candidates, {}, options),
  createPipeline: (options) => createPipeline(profile, options),
  diffRankings: (options) => diffRankings(pipeline.rankSync(candidates), pipeline.rankSync(candidates), options),
  rankFile: (options) => rankFile(profile, 'none.jsonl', {}, options),
};

const told = (call: string, options: unknown): Promise<string> =>
  messageOf((async () => CALLS[call]?.(options as never))());

describe('the options of a call', () => {
  test.each(Object.keys(CALLS))('are the options of %s', async (call) => {
    const said = await told(call, { constructor: 1, zz: undefined });
    expect(said).toContain(`ASZ533 ${call} has no option constructor\n  there are: `);
    expect(said).toContain(`ASZ533 ${call} has no option zz\n  there are: `);
    expect(await told(call, null)).toContain(`the options of ${call} are null; expected an object`);
  });

  test.each([
    ['rank', { updateMemry: false }, 'rank has no option updateMemry\n  did you mean updateMemory?'],
    ['rankSync', { bugdet: 3 }, 'rankSync has no option bugdet\n  did you mean budget?'],
    ['createPipeline', { unit: {} }, 'createPipeline has no option unit\n  did you mean units?'],
    ['rank', { signal: new AbortController() }, 'the option signal of rank is a map; expected an AbortSignal'],
    ['rank', { abort: new AbortController().signal }, 'rank has no option abort\n  it is called signal now'],
    ['scoreStream', { signal: null }, 'the option signal of scoreStream is null; expected an AbortSignal'],
    ['rank', { prune: 0 }, 'the option prune of rank is the number 0; expected true or false'],
    ['score', { among: {} }, 'the option among of score is a map; expected a list'],
    ['rankStream', { top: -1 }, 'the option top of rankStream is the number -1; expected a whole number of at least 0'],
    ['rankFile', { top: 1.5 }, 'the option top of rankFile is the number 1.5; expected a whole number of at least 0'],
    ['rankFile', { workers: NaN }, 'workers of rankFile is the number NaN; expected a whole number of at least 1'],
    ['rankFile', { input: 'xml' }, 'input of rankFile is the string "xml"; expected one of json, jsonl, csv, tsv'],
    ['createPipeline', { folder: 5 }, 'the option folder of createPipeline is the number 5; expected a string'],
  ])('are what %s expects: %j', async (call, options, said) => {
    expect(await told(call, options)).toContain(said);
  });

  test('that are undefined count as missing', async () => {
    const { signal } = new AbortController();
    const none = { signal: undefined, updateMemory: undefined, budget: undefined } as object;
    expect((await pipeline.rank(candidates, {}, none)).selected).toHaveLength(1);
    expect((await pipeline.rank(candidates, {}, { signal, updateMemory: false, prune: false })).selected).toHaveLength(
      1,
    );
    expect((await diffProfiles(profile, profile, candidates, {}, { most: 3, codegen: false })).moves).toEqual([]);
  });
});
