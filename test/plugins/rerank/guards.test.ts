/* Guards fail closed: whatever a model does, no candidate is selected that it did not clear. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, veto } from 'assize';
import { AssizeError, LANGUAGE_MODELS, type LanguageModels, scorer } from 'assize/sdk';
import {
  fails,
  halfABody,
  json,
  type Reply,
  says,
  saysJson,
  serve,
  silence,
  stuckBody,
} from '../../services/language-model/chat-server.js';

const RUBRIC = 'Refuse what is unsafe.';
const clear = { reason: 'harmless', verdict: 'clear' } as const;
const refuse = { reason: 'it deletes files', verdict: 'refuse' } as const;

const profileOf = (params: object, model: object, entry: object = {}): ProfileInput => ({
  plugins: ['rerank'],
  tier1_scorers: [
    {
      id: 'safe',
      class: 'RubricVeto',
      params: { model: { name: 'tiny', ...model }, rubric: RUBRIC, text: 'text', backoff: 1, ...params },
      ...entry,
    },
  ],
  tier2_scorers: [{ id: 'base', expr: 'candidate.base' }],
});

const items = ['a', 'b', 'c', 'd'].map((id, k) => ({ id, text: `text ${id}`, base: k / 4 }));
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();

describe('RubricVeto', () => {
  test('refuses with the reason of the model, which is in the explanation', async () => {
    const { url, seen } = await serve((response, request) => {
      saysJson(request.body.messages.at(-1)!.content.includes('text b') ? refuse : clear)(response, request);
    });
    const ranking = await (await createPipeline(profileOf({}, { base_url: url }))).rank(items);
    expect(idsOf(ranking.selected)).toEqual(['a', 'c', 'd']);
    expect(ranking.refused.map(({ id, kind, by, reason }) => [id, kind, by, reason])).toEqual([
      ['b', 'veto', 'safe', expect.stringMatching(/^it deletes files \(tiny-1, rubric [0-9a-f]{8}\)$/)],
    ]);
    expect(JSON.stringify(ranking.explain('b'))).toContain('it deletes files');
    expect(JSON.stringify(ranking.explain('a'))).toContain('cleared by tiny-1');
    expect(seen[0]!.body.messages[0]!.content).toContain(RUBRIC);
  });

  test('refuses a candidate without a text unless on_absent is pass, which is a warning', async () => {
    const { url } = await serve(saysJson(clear));
    const rank = async (entry: object) => {
      const pipeline = await createPipeline(profileOf({}, { base_url: url }, entry));
      const { selected, refused } = await pipeline.rank([...items, { id: 'e', base: 1 }]);
      return [idsOf(selected), refused.map(({ kind }) => kind), pipeline.warnings.map(({ code }) => code)];
    };
    expect(await rank({})).toEqual([['a', 'b', 'c', 'd'], ['absent'], []]);
    expect(await rank({ on_absent: 'pass' })).toEqual([['a', 'b', 'c', 'd', 'e'], [], ['ASZ766']]);
    expect(await rank({ on_error: 'pass' })).toEqual([['a', 'b', 'c', 'd'], ['absent'], ['ASZ766']]);
  });

  test('refuses without the query that it is meant to read, and asks nothing', async () => {
    const { url, seen } = await serve(saysJson(clear));
    const pipeline = await createPipeline(profileOf({ query: 'query' }, { base_url: url }));
    const { refused } = await pipeline.rank(items);
    expect(refused.map(({ kind, reason }) => [kind, reason])).toEqual(
      items.map(() => ['absent', 'the context has no query']),
    );
    expect((await pipeline.rank(items, { query: ' ' })).selected).toEqual([]);
    expect(seen).toEqual([]);
    expect((await pipeline.rank(items, { query: 'cats' })).selected).toHaveLength(4);
  });

  test('takes part if its when is absent, but not if it is false', async () => {
    const { url } = await serve(saysJson(refuse));
    const selectedIn = async (entry: object, context: Record<string, unknown>) => {
      const pipeline = await createPipeline(profileOf({}, { base_url: url }, { when: 'context.live', ...entry }));
      return (await pipeline.rank(items, context)).selected.length;
    };
    expect(await selectedIn({}, {})).toBe(0);
    expect(await selectedIn({}, { live: true })).toBe(0);
    expect(await selectedIn({}, { live: false })).toBe(4);
    expect(await selectedIn({ on_absent: 'pass' }, {})).toBe(4);
  });

  const late = { 'retry-after-ms': '1' };
  const faults: readonly (readonly [string, Reply, recovers: boolean])[] = [
    ['429 with Retry-After', fails(429, 'slow down', late), true],
    ['429 with a long Retry-After', fails(429, 'slow down', { 'retry-after': '3600' }), false],
    ['500', fails(500, 'oops', late), true],
    ['401', fails(401, 'no key'), true],
    ['a cut stream', halfABody, true],
    ['a stalled stream', stuckBody, true],
    ['silence', silence, true],
    ['a truncated answer', says({ content: '{"verdict":"clear"', finish: 'length' }), false],
    ['invalid JSON', says({ content: '{"verdict": clear}' }), false],
    ['an empty answer', says({ content: '' }), false],
    ['another verdict', saysJson({ reason: 'so', verdict: 'yes' }), false],
    ['no verdict', saysJson({ reason: 'so' }), false],
    ['a refusal of the model', says({ refusal: 'I cannot' }), false],
    ['no completion', json({ verdict: 'clear' }), false],
  ];
  test.each(faults)('selects no candidate whose answer is %s, in each position', async (_, fault, recovers) => {
    for (const position of items.keys()) {
      const replies: Reply[] = [...items.map((): Reply => saysJson(clear)), saysJson(clear)];
      replies[position] = fault;
      const { url } = await serve(...replies); // oxlint-disable-line no-await-in-loop -- one after another
      const pipeline = await createPipeline(profileOf({ parallel: 1 }, { base_url: url, timeout: 700 })); // oxlint-disable-line no-await-in-loop
      const { selected, refused } = await pipeline.rank(items); // oxlint-disable-line no-await-in-loop
      const cleared = items.filter((_item, k) => k !== position || recovers);
      if (_.includes('long')) {
        // Later candidates may fail too, because the endpoint is not called again.
        expect(idsOf(selected)).not.toContain(items[position]!.id);
      } else expect(idsOf(selected)).toEqual(idsOf(cleared));
      expect(selected.length + refused.length).toBe(items.length);
    }
  });
});

const KINDS = ['clear', 'refuse', 'slow', 'wrong', 'empty', 'quota', 'busy', 'cut', 'throws'] as const;
type Kind = (typeof KINDS)[number];

const failing = (code: 'ASZ525' | 'ASZ526' | 'ASZ527', message: string): never => {
  throw new AssizeError([{ code, message }]);
};

async function answerOf(kind: Kind, abort: AbortSignal | undefined): Promise<unknown> {
  switch (kind) {
    case 'clear':
      return clear;
    case 'refuse':
      return refuse;
    case 'slow':
      return new Promise((_resolve, reject) => {
        abort?.addEventListener('abort', () => reject(new Error('gone')));
      });
    case 'wrong':
      return { verdict: 'perhaps', reason: 7 };
    case 'empty':
      return undefined;
    case 'quota':
      return failing('ASZ525', 'no tokens left');
    case 'busy':
      return failing('ASZ526', 'busy');
    case 'cut':
      return failing('ASZ527', 'cut off');
    default:
      throw new TypeError('oops');
  }
}

/** A model with a list of answers for each text, one per call; the last one for all further calls. */
function scheduled(schedule: Readonly<Record<string, readonly Kind[]>>) {
  const cleared = new Set<string>();
  const calls = new Map<string, number>();
  const models: LanguageModels = {
    open: () => ({
      ask: async ({ material }, abort) => {
        const { candidate } = material as { readonly candidate: string };
        const call = calls.get(candidate) ?? 0;
        calls.set(candidate, call + 1);
        const kinds = schedule[candidate] ?? [];
        const kind = kinds[Math.min(call, kinds.length - 1)] ?? 'empty';
        await new Promise((resolve) => setTimeout(resolve, call));
        const value = await answerOf(kind, abort);
        if (kind === 'clear') cleared.add(candidate);
        return { value, model: 'tiny', tokens: 1 };
      },
    }),
  };
  return { models, cleared };
}

const kinds = fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 3 });
const schedules = fc.record({
  answers: fc.tuple(kinds, kinds, kinds, kinds),
  parallel: fc.integer({ min: 1, max: 4 }),
  retries: fc.integer({ min: 0, max: 2 }),
  calls: fc.constantFrom(0, 1, 3, 100),
  budget: fc.constantFrom(undefined, { per: 'day', calls: 2 }, { per: 'minute', spend: 3 }),
  timeout: fc.constantFrom(15, 40),
  onFirst: fc.boolean(),
});

describe('for every schedule of faults, no candidate is selected that its guard did not clear:', () => {
  test('RubricVeto', async () => {
    await fc.assert(
      fc.asyncProperty(schedules, async ({ answers, timeout, onFirst, ...params }) => {
        const { models, cleared } = scheduled(
          Object.fromEntries(items.map(({ text }, k): [string, readonly Kind[]] => [text, answers[k]!])),
        );
        const profile = profileOf({ price: 1, ...params }, {}, { timeout });
        const pipeline = await createPipeline(
          { ...profile, veto_on_first: onFirst },
          { services: [{ token: LANGUAGE_MODELS, value: models }] },
        );
        for (let run = 0; run < 2; run++) {
          const { selected, refused } = await pipeline.rank([...items, { id: 'e', base: 1 }]); // oxlint-disable-line no-await-in-loop -- run after run
          for (const { id } of selected) expect(cleared).toContain(`text ${id}`);
          expect(selected.length + refused.length).toBe(5);
        }
      }),
      { numRuns: 120 },
    );
  });

  test('RubricScorer with a rule that refuses', async () => {
    await fc.assert(
      fc.asyncProperty(schedules, fc.boolean(), async ({ answers, timeout, onFirst, ...params }, prune) => {
        const graded = new Map<string, number>();
        const { models } = scheduled({});
        const schedule = new Map(items.map(({ text }, k) => [text, [...answers[k]!]]));
        const grader: LanguageModels = {
          open: (settings) => ({
            ask: async (question, abort) => {
              const { candidate } = question.material as { readonly candidate: string };
              const kind = schedule.get(candidate)?.shift() ?? 'empty';
              const grade = kind === 'clear' ? 4 : kind === 'refuse' ? 0 : undefined;
              if (grade === undefined)
                return { ...(await models.open(settings).ask(question, abort)), value: await answerOf(kind, abort) };
              graded.set(candidate, grade);
              return { value: { grade, reason: 'so' }, model: 'tiny', tokens: 1 };
            },
          }),
        };
        const { tier1_scorers: [guard] = [], ...rest } = profileOf({ price: 1, ...params }, {}, { timeout });
        const profile: ProfileInput = {
          ...rest,
          tier2_scorers: [
            ...rest.tier2_scorers!,
            { ...guard!, class: 'RubricScorer', on_error: 'skip', on_absent: 'skip' },
          ],
          adjustments: [{ id: 'unsafe', when: 'scores.safe < 0.5', refuse: true }],
          veto_on_first: onFirst,
          select: { top: 2, prune },
        };
        const pipeline = await createPipeline(profile, { services: [{ token: LANGUAGE_MODELS, value: grader }] });
        const { selected } = await pipeline.rank([...items, { id: 'e', base: 1 }]);
        for (const { id } of selected) expect(graded.get(`text ${id}`)).toBe(4);
      }),
      { numRuns: 80 },
    );
  });

  test('an async function', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(kinds, kinds, kinds, kinds), fc.constantFrom(10, 30), async (answers, timeout) => {
        const Guard = veto(async ({ id }: { id: string }, { signal }) => {
          const verdict = await answerOf(answers['abcd'.indexOf(id)]![0]!, signal);
          return verdict === undefined ? undefined : verdict !== clear;
        });
        const pipeline = await createPipeline(
          { tier1_scorers: [{ id: 'guard', class: 'Guard', timeout }] },
          { units: { Guard } },
        );
        const { selected } = await pipeline.rank(items);
        expect(idsOf(selected)).toEqual(
          items
            .flatMap(({ id }, k) => (answers[k]![0] === 'clear' ? [id] : []))
            .filter((id) => selected.some((row) => row.id === id)),
        );
        for (const { id } of selected) expect(answers['abcd'.indexOf(id)]![0]).toBe('clear');
      }),
      { numRuns: 80 },
    );
  });
});

test('an async veto that returns undefined refuses, unless its entry or its facts say otherwise', async () => {
  const rank = async (facts: object, entry: object) => {
    const Guard = veto(async () => undefined, facts);
    const pipeline = await createPipeline(
      { tier1_scorers: [{ id: 'guard', class: 'Guard', ...entry }] },
      { units: { Guard } },
    );
    return (await pipeline.rank(items)).selected.length;
  };
  expect(await rank({}, {})).toBe(0);
  expect(await rank({}, { on_absent: 'pass' })).toBe(4);
  expect(await rank({ onAbsent: 'skip' }, {})).toBe(4);
});

describe('a timeout in a later batch', () => {
  test('keeps the scores of the earlier ones', async () => {
    const { meta } = scorer(() => 1, { range: [0, 1], scope: 'candidate', cost: 1_000_000 });
    const batches: number[] = [];
    // It answers for the first batch of the second phase, and never for a later one.
    const Slow = Object.assign(
      class {
        async prepare(_params: unknown, run: { readonly candidates: readonly { readonly judged: number }[] }) {
          batches.push(run.candidates.length);
          if (batches.length > 1) return new Promise<never>(() => {});
          return ({ judged }: { readonly judged: number }) => judged;
        }
      },
      { meta },
    );
    // The best by `base` are those that the judge dislikes, so that the second phase must look further.
    const many = Array.from({ length: 40 }, (_, k) => ({ id: `c${k}`, base: 1 - k / 100, judged: k < 8 ? 0 : 1 }));
    const pipeline = await createPipeline(
      {
        tier2_scorers: [
          { id: 'base', expr: 'candidate.base' },
          { id: 'judge', class: 'Slow', timeout: 50, on_error: 'skip' },
        ],
        adjustments: [],
        select: { top: 2 },
      },
      { units: { Slow } },
    );
    const ranking = await pipeline.rank(many);
    expect(batches.length).toBe(2);
    expect(ranking.terms('c0')?.scores['judge']).toBe(0);
    expect(ranking.selected.map(({ id }) => Number(id.slice(1))).every((k) => k >= 8)).toBe(true);
    expect(ranking.degraded).toMatchObject([{ entry: 'judge', cause: expect.stringContaining('50 ms') }]);
  });
});
