/* Arguments that no type allows, or that a type cannot refuse: the message says what was found, what was expected and how to fix it. */
import { describe, expect, test } from 'vitest';
import {
  comparisonText,
  createPipeline,
  diffText,
  explanationMarkdown,
  explanationText,
  type ProfileInput,
  rankFile,
  scorer,
  veto,
  waysToWinText,
} from 'assize';
import { checkUnit, checkVectors } from 'assize/testing';
import { messageOf } from '../properties/ranked.js';

const profile: ProfileInput = { name: 'p', tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] };
const candidates = [
  { id: 'a', stars: 1 },
  { id: 'b', stars: 2 },
];
const pipeline = await createPipeline<object>(profile);
const ranking = await pipeline.rank(candidates);
const Stars = scorer(({ stars }: { readonly stars: number }) => stars);

type Loose = (argument: never) => unknown;
const told = (call: Loose, argument: unknown): Promise<string> => messageOf((async () => call(argument as never))());

describe('a wrong argument', () => {
  test.each<[string, Loose, unknown, string]>([
    [
      'a generator in place of a list',
      (list) => pipeline.rank(list),
      candidates.values(),
      'expected a list of objects\n  collect them: [...candidates], or call rankStream',
    ],
    [
      'a promise of a list',
      (list) => pipeline.rank(list),
      Promise.resolve(candidates),
      'the candidates are a promise; expected a list of objects\n  await it',
    ],
    ['a path', (list) => pipeline.rank(list), 'a.json', 'rankFile(profile, file) ranks a file'],
    [
      'an AbortSignal in place of options',
      (options) => pipeline.rank(candidates, {}, options),
      new AbortController().signal,
      'ASZ533 the options of rank are an AbortSignal\n  pass { signal }',
    ],
    ['a position', (which) => ranking.explain(which), 1, 'pass { index: 1 }, or the id as a string'],
    ['a candidate', (which) => ranking.explain(which), candidates[1], 'pass its id, or { index: 1 }'],
    [
      'a list of units',
      (units) => createPipeline(profile, { units }),
      [Stars],
      'the option units of createPipeline is a list; expected units by class name: { Stars }',
    ],
    [
      'the text of a profile',
      (text) => createPipeline(text),
      'tier2_scorers:\n  - { id: a, expr: candidate.a }\n',
      'pass the text of a profile as { yaml: text, name }',
    ],
    [
      'the file of rankFile before the profile',
      (file) => rankFile('repos.jsonl', file),
      './repos.yaml',
      'the profile is the first argument: rankFile(profile, file)',
    ],
    [
      'a list in place of a file',
      (file) => rankFile(profile, file),
      candidates,
      'the file of rankFile is a list; expected the path of a file of candidates\n  pipeline.rank ranks a list',
    ],
    [
      'the options of scorer first',
      (fn) => scorer(fn),
      { range: [0, 1] },
      'scorer: expected a function of a candidate as the first argument, found a value of the type object',
    ],
    [
      'a number for veto',
      (fn) => veto(fn),
      3,
      'veto: expected a function of a candidate as the first argument, found 3',
    ],
  ])('%s', async (_, call, argument, said) => {
    expect(await told(call, argument)).toContain(said);
  });

  test.each<[string, Loose, string]>([
    ['explanationText', explanationText, 'expected an explanation\n  ranking.explain(id) returns one'],
    ['explanationMarkdown', explanationMarkdown, 'expected an explanation\n  ranking.explain(id) returns one'],
    ['comparisonText', comparisonText, 'expected a comparison\n  await ranking.compare(a, b) returns one'],
    ['waysToWinText', waysToWinText, 'expected ways to win\n  await ranking.waysToWin(id) returns one'],
    ['diffText', diffText, 'expected a diff\n  diffRankings(before, after) returns one'],
  ])('a ranking, a text or a promise for %s', async (name, call, said) => {
    expect(await told(call, ranking)).toContain(`ASZ533 the argument of ${name} is a map; ${said}`);
    expect(await told(call, 'a')).toContain(`ASZ533 the argument of ${name} is the string "a"; ${said}`);
    expect(await told(call, Promise.resolve())).toMatch(/is a promise; expected .*\n {2}await it$/);
  });
});

describe('a wrong argument of a check', () => {
  test.each<[string, Loose, unknown, string]>([
    [
      'a list for checkUnit',
      (example) => checkUnit(Stars, example),
      candidates,
      'the example of checkUnit is a list; expected an object\n  pass { candidates: [ … ] }',
    ],
    [
      'an unknown key for checkUnit',
      (example) => checkUnit(Stars, example),
      { candidates, parms: {} },
      'checkUnit has no option parms\n  did you mean params?',
    ],
    [
      'a function',
      (unit) => checkUnit(unit, { candidates }),
      () => 1,
      'the unit of checkUnit is a function; expected a class with a static meta\n  wrap a function: scorer(fn) or veto(fn)',
    ],
    ['a vector that is not in a list', (vectors) => checkVectors(Stars, vectors), { candidates }, 'expected a list'],
    [
      'a vector without expected results',
      (vectors) => checkVectors(Stars, vectors),
      [{ candidates }],
      'expected of vector #0 is nothing; expected a list',
    ],
    [
      'services as an option, not in a vector',
      (options) => checkVectors(Stars, [{ candidates, expected: [1, 2] }], options),
      { services: [] },
      'checkVectors has no option services',
    ],
  ])('%s', async (_, call, argument, said) => {
    expect(await told(call, argument)).toContain(said);
  });
});

describe('options in place of the context', () => {
  const warned = async (by: ProfileInput, context: object): Promise<readonly (string | undefined)[]> => {
    const { warnings } = await (await createPipeline<object>(by)).rank(candidates, { ...context });
    return warnings.filter(({ code }) => code === 'ASZ727').flatMap(({ message, hint }) => [message, hint]);
  };

  test('are a warning', async () => {
    expect(await warned(profile, { top: 1 })).toEqual([
      'the context has top, which profile p does not read',
      'options come after the context: (…, context, { top: … })',
    ]);
    const { signal } = new AbortController();
    expect(await warned(profile, { now: 1, weights: { stars: 2 }, minScore: 1, signal, prune: false })).toHaveLength(8);
  });

  test('are not one if the profile reads or declares them, or they are not such options', async () => {
    expect(await warned({ ...profile, select: { top: 'context.top' } }, { top: 1 })).toEqual([]);
    expect(await warned({ ...profile, context: { top: { type: 'int' } } }, { top: 1 })).toEqual([]);
    expect(await warned(profile, { top: 'shelf', signal: 'green', offset: 'left', budget: 3 })).toEqual([]);
    expect(await warned(profile, {})).toEqual([]);
  });

  test('are one of a stream, too', async () => {
    const { warnings } = await pipeline.rankStream(candidates, { top: 1 }, { top: 2 });
    expect(warnings.map(({ code }) => code)).toEqual(['ASZ727']);
  });
});
