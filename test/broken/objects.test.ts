import { describe, expect, test } from 'vitest';
import {
  AssizeError,
  type Context,
  createPipeline,
  type PipelineOptions,
  type ProfileInput,
  scorer,
} from '../../src/index.js';
import { z } from '../../src/sdk.js';

/** What a program is told, whose compiler let it through: a profile, and what a pipeline of it is asked. */
async function told(
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

/** What each is, and who is told what. */
const CASES: Readonly<Record<string, () => Promise<string>>> = {
  nothing: () => told(undefined),
  null: () => told(null),
  'a list': () => told([]),
  'a number': () => told(42),
  'a function': () => told(() => good),
  'an empty text': () => told(''),
  'the name of a preset that there is not': () => told('knowledgpulse'),
  'a key with a typo': () => told({ tier2_scorers: [{ id: 'a', expr: '1.0', clas: 'X' }] }),
  'an expression that is a function': () => told({ tier2_scorers: [{ id: 'a', expr: () => 1 }] }),
  'a class that is a class': () => told({ tier2_scorers: [{ id: 'a', class: Settings }] }),
  'a weight that is a bigint': () => told({ tier2_scorers: [{ ...entry, weight: 3n }] }),
  'a date in place of a text': () => told({ name: new Date(0) }),
  'a map in place of an object': () => told({ weights: new Map([['by', 'candidate.k']]) }),
  'an object that contains itself': () => told(itself),
  'params that contain themselves': () =>
    told({ tier2_scorers: [{ id: 'a', class: 'CompositeScorer', params: around }] }),
  'one object given twice, as params': () =>
    told({
      tier2_scorers: [
        { id: 'a', class: 'DecayScorer', params: shared },
        { id: 'b', class: 'DecayScorer', params: shared, weight: 2 },
      ],
    }),
  'one object given twice, as an entry': () => told({ tier2_scorers: [entry, entry] }),
  'an object of a class of its own': () => told(new Settings()),
  'an object that is frozen': () => told(Object.freeze({ tier2_scorers: Object.freeze([Object.freeze(entry)]) })),
  'a getter that throws': () =>
    told({
      get tier2_scorers() {
        throw new Error('no access');
      },
    }).catch((error: unknown) => String(error)),
  'undefined where a key may be missing': () => told({ name: undefined, select: undefined, tier2_scorers: [entry] }),
  'a list with a hole': () => told({ tier2_scorers: [entry, , { id: 'b', expr: '1.0' }] }), // oxlint-disable-line no-sparse-arrays
  'candidates that are nothing': () => told(good, rank(undefined)),
  'candidates that are null': () => told(good, rank(null)),
  'candidates that are one object': () => told(good, rank({ a: 1 })),
  'candidates that are texts': () => told(good, rank([{ a: 1 }, 'b'])),
  'candidates with a hole': () => told(good, rank([{ a: 1 }, undefined, { a: 2 }])),
  'candidates with getters that throw': () =>
    told(
      good,
      rank([
        {
          get a() {
            throw new Error('gone');
          },
        },
      ]),
    ),
  'one candidate given twice': () => told(good, rank([ONE, ONE])),
  'a context that is a list': () => told(good, rank([], [1])),
  'a context that is null': () => told(good, rank([], null)),
  'a context whose now is none': () => told(good, rank([], { now: 'soon' })),
  'a context whose now is an invalid date': () => told(good, rank([], { now: new Date(Number.NaN) })),
  'a candidate that must be scored among others': () =>
    told(
      { tier2_scorers: [{ id: 's', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.a' } } }] },
      (pipeline) => pipeline.score({ a: 1 }),
    ),
  'units that are none': () =>
    told(good, undefined, {
      units: {
        Plain: () => 1,
        Bare: class {
          run = 1;
        },
        Text: 'x',
      },
    }),
  'services that are none': () =>
    told(good, undefined, { services: [{ token: 'x', value: 1 } as never, null as never] }),
  'a schema that throws': () =>
    told({ tier2_scorers: [{ id: 'a', class: 'Mine' }] }, undefined, {
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
