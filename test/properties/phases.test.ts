import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';

interface Window {
  readonly turns: number | undefined;
  /** undefined: no `when`. */
  readonly holds: boolean | undefined;
}

/** The phase of a turn: the windows one after another, and the next one if a condition is false. */
function model(windows: readonly Window[], turn: number | undefined): string {
  let from = 0;
  const starts = windows.map(({ turns }) => {
    const start = from;
    from += turns ?? Infinity;
    return start;
  });
  const at = windows.findIndex(({ turns }, k) => (turn ?? 0) < starts[k]! + (turns ?? Infinity));
  const candidates = at < 0 ? [] : [...windows.keys()].slice(at);
  return `p${candidates.find((k) => windows[k]!.holds !== false) ?? windows.length - 1}`;
}

const windows = fc.array(
  fc.record({
    turns: fc.option(fc.nat(4), { nil: undefined }),
    holds: fc.constantFrom(undefined, true, false),
  }),
  { minLength: 1, maxLength: 6 },
);

/** The phase that a pipeline sees: read through a rule. */
async function phaseOf(given: readonly Window[], context: Record<string, unknown>): Promise<unknown> {
  const phases = Object.fromEntries(
    given.map(({ turns, holds }, k) => [
      `p${k}`,
      {
        ...(turns !== undefined && { n_turns: turns }),
        ...(holds !== undefined && { when: `context.yes == ${holds}` }),
      },
    ]),
  );
  const table = Object.fromEntries(given.map((_, k) => [`p${k}`, k + 1]));
  const profile: ProfileInput = {
    phases,
    tier2_scorers: [{ id: 's', expr: '1.0' }],
    adjustments: [{ id: 'r', multiply: { table, by: ['signals.phase'], missing: 0 } }],
  };
  const { ranked } = await (await createPipeline(profile, { codegen: true })).rank([{}], { yes: true, ...context });
  return `p${(ranked[0]?.score ?? 0) - 1}`;
}

test('windows of n_turns follow one another', async () => {
  await fc.assert(
    fc.asyncProperty(windows, fc.option(fc.nat(20), { nil: undefined }), async (given, turn) => {
      const context = turn === undefined ? {} : { turn_count: turn };
      expect(await phaseOf(given, context)).toBe(model(given, turn));
    }),
    { numRuns: 300 },
  );
});

test('the original interview: early, middle, late', async () => {
  const interview = [
    { turns: 4, holds: undefined },
    { turns: 6, holds: undefined },
    { turns: undefined, holds: undefined },
  ];
  const at = await Promise.all([0, 3, 4, 9, 10, 99].map((turn_count) => phaseOf(interview, { turn_count })));
  expect(at).toEqual(['p0', 'p0', 'p1', 'p1', 'p2', 'p2']);
});
