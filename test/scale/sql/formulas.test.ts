import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCompiledProfile } from '../../../src/pipeline/create-pipeline.js';
import { createPipeline, type ProfileInput } from 'assize';
import { formulaOf } from '../../../src/scale/sql/expression.js';
import { CONTEXT, rows, UNITS } from './arbitraries.js';

const profileOf = (use: object): ProfileInput =>
  ({
    name: 'one',
    tier2_scorers: [{ id: 'one', ...use, on_error: 'skip', weight: 1 }],
    select: {},
  }) as unknown as ProfileInput;

/** The result of a use for each row: a number by its bits, absent, or failed. */
async function given(use: object, all: readonly object[]): Promise<readonly (string | undefined)[]> {
  const pipeline = await createPipeline<object>(profileOf(use));
  const ranking = await pipeline.rank(all, CONTEXT);
  const column = ranking.matrix.column('one');
  const found: (string | undefined)[] = all.map(() => undefined);
  for (const [row, index] of ranking.matrix.index.entries()) found[index] = String(column.values[row]);
  return found;
}

/** The formula of a unit as an expression, with each child in its place. */
async function expressionOf(use: object): Promise<string> {
  const { plan } = await createCompiledProfile(profileOf(use));
  const entry = plan.profile.scorers[0]!.use;
  if (entry.kind !== 'class') throw new Error('no class');
  const { expression, children } = formulaOf(entry);
  return [...children].reduce(
    (source, [name, child]) => source.replaceAll(name, `(${child.spec.expr})`),
    expression.source,
  );
}

describe('the formula of a unit equals the unit, to the bit', () => {
  test.each(UNITS.map((use) => [`${use.class} ${JSON.stringify(use.params)}`, use] as const))('%s', async (_, use) => {
    // A formula contains a comparison if the `has` of an expression is not of a field.
    expect.hasAssertions();
    const expr = (await expressionOf(use)).replaceAll(/has\(\((candidate\.\w+)\)\)/g, 'has($1)');
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const [formula, unit] = [await given({ expr }, all), await given(use, all)];
        for (const [k, value] of formula.entries()) if (value !== undefined) expect(unit[k]).toBe(value);
      }),
      { numRuns: 10 },
    );
  });
});
