import { describe, expect, test } from 'vitest';
import { AssizeError, type Context, createPipeline, type PipelineOptions, type ProfileInput, scorer } from 'assize';
import { z } from 'assize/sdk';

/** The result of a call on a pipeline, or the message of its AssizeError. A compiler would reject the profile. */
async function outcomeOf(
  profile: unknown,
  ask: (pipeline: Awaited<ReturnType<typeof createPipeline>>) => unknown = () => 'fine',
  options: PipelineOptions = {},
): Promise<string> {
  try {
    return String(await ask(await createPipeline(profile as ProfileInput, options)));
  } catch (error) {
    // Anything else is a crash.
    if (error instanceof AssizeError)
      return `AssizeError: ${error.message.replaceAll(/presets: [^;]+;/g, 'presets: …;')}`;
    throw error;
  }
}

const itself: Record<string, unknown> = { name: 'me' };
itself['strategies'] = [{ id: 'a', own: itself }];

const around: { scorers?: unknown } = {};
around.scorers = [{ class: 'CompositeScorer', params: around }];

const shared = { field: 'at', curve: { type: 'window', max_age: '1d' } };
const entry = { id: 'a', expr: 'candidate.a' };
const good = { tier2_scorers: [entry] };

class Settings {
  name = 'x';
  tier2_scorers = [entry];
}

const ONE = { a: 1 };
const rank = (candidates: unknown, context?: unknown) => (pipeline: Awaited<ReturnType<typeof createPipeline>>) =>
  pipeline.rank(candidates as object[], context as Context).then(({ ranked }) => `${ranked.length} ranked`);

/** Invalid profiles and calls, by the mistake. */
const CASES: Readonly<Record<string, () => Promise<string>>> = {
  nothing: () => outcomeOf(undefined),
  null: () => outcomeOf(null),
  'a list': () => outcomeOf([]),
  'a number': () => outcomeOf(42),
  'a function': () => outcomeOf(() => good),
  'an empty text': () => outcomeOf(''),
  'the name of an unknown preset': () => outcomeOf('knowledgpulse'),
  'a key with a typo': () => outcomeOf({ tier2_scorers: [{ id: 'a', expr: '1.0', clas: 'X' }] }),
  'an expression that is a function': () => outcomeOf({ tier2_scorers: [{ id: 'a', expr: () => 1 }] }),
  'a class that is a class': () => outcomeOf({ tier2_scorers: [{ id: 'a', class: Settings }] }),
  'a weight that is a bigint': () => outcomeOf({ tier2_scorers: [{ ...entry, weight: 3n }] }),
  'an id that is a bigint, twice': () =>
    outcomeOf({
      tier2_scorers: [
        { id: 10n, expr: '1.0' },
        { id: 10n, expr: '2.0' },
      ],
    }),
  'a date in place of a text': () => outcomeOf({ name: new Date(0) }),
  'a map in place of an object': () => outcomeOf({ weights: new Map([['by', 'candidate.k']]) }),
  'an object that contains itself': () => outcomeOf(itself),
  'params that contain themselves': () =>
    outcomeOf({ tier2_scorers: [{ id: 'a', class: 'CompositeScorer', params: around }] }),
  'one object given twice, as params': () =>
    outcomeOf({
      tier2_scorers: [
        { id: 'a', class: 'DecayScorer', params: shared },
        { id: 'b', class: 'DecayScorer', params: shared, weight: 2 },
      ],
    }),
  'one object given twice, as an entry': () => outcomeOf({ tier2_scorers: [entry, entry] }),
  'an object of a class': () => outcomeOf(new Settings()),
  'an object that is frozen': () => outcomeOf(Object.freeze({ tier2_scorers: Object.freeze([Object.freeze(entry)]) })),
  'a getter that throws': () =>
    outcomeOf({
      get tier2_scorers() {
        throw new Error('no access');
      },
    }).catch((error: unknown) => String(error)),
  'undefined in place of a missing key': () =>
    outcomeOf({ name: undefined, select: undefined, tier2_scorers: [entry] }),
  'a list with a hole': () => outcomeOf({ tier2_scorers: [entry, , { id: 'b', expr: '1.0' }] }), // oxlint-disable-line no-sparse-arrays
  'candidates that are undefined': () => outcomeOf(good, rank(undefined)),
  'candidates that are null': () => outcomeOf(good, rank(null)),
  'candidates that are one object': () => outcomeOf(good, rank({ a: 1 })),
  'candidates that are texts': () => outcomeOf(good, rank([{ a: 1 }, 'b'])),
  'candidates with a hole': () => outcomeOf(good, rank([{ a: 1 }, undefined, { a: 2 }])),
  'candidates with getters that throw': () =>
    outcomeOf(
      good,
      rank([
        {
          get a() {
            throw new Error('gone');
          },
        },
      ]),
    ),
  'one candidate given twice': () => outcomeOf(good, rank([ONE, ONE])),
  'a context that is a list': () => outcomeOf(good, rank([], [1])),
  'a context that is null': () => outcomeOf(good, rank([], null)),
  'a context with an invalid now': () => outcomeOf(good, rank([], { now: 'soon' })),
  'a context whose now is an invalid date': () => outcomeOf(good, rank([], { now: new Date(Number.NaN) })),
  'a candidate that must be scored among others': () =>
    outcomeOf(
      { tier2_scorers: [{ id: 's', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.a' } } }] },
      (pipeline) => pipeline.score({ a: 1 }),
    ),
  'invalid units': () =>
    outcomeOf(good, undefined, {
      units: {
        Plain: () => 1,
        Bare: class {
          run = 1;
        },
        Text: 'x',
      },
    }),
  'invalid services': () =>
    outcomeOf(good, undefined, { services: [{ token: 'x', value: 1 } as never, null as never] }),
  'a schema that throws': () =>
    outcomeOf({ tier2_scorers: [{ id: 'a', class: 'Mine' }] }, undefined, {
      units: {
        Mine: Object.assign(
          scorer(() => 1),
          {
            meta: {
              kind: 'scorer',
              summary: 'Mine.',
              params: z.strictObject({}).refine(() => {
                throw new Error('boom');
              }),
            },
          },
        ),
      },
    }),
};

describe('objects', () => {
  test.each(Object.entries(CASES))('%s', async (name, ask) => {
    await expect(`${await ask()}\n`).toMatchFileSnapshot(
      `./output/objects/${name.replaceAll(/[^a-z0-9]+/gi, '-')}.txt`,
    );
  });
});
