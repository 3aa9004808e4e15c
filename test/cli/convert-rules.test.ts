/* Rules of json-rules-engine, converted: the same events fire as in json-rules-engine itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Conversion, draftYaml } from '../../src/cli/convert/draft.js';
import { convertRules } from '../../src/cli/convert/json-rules-engine.js';
import { createPipeline } from '../../src/index.js';

interface Case {
  readonly input: { readonly rules: readonly object[]; readonly conditions: object };
  readonly rows: readonly object[];
  /** The types of the events that json-rules-engine fired, by row. */
  readonly fired: readonly (readonly string[])[];
}

const file = join(import.meta.dirname, '../fixtures/json-rules-engine/cases.json');
const CASES = JSON.parse(readFileSync(file, 'utf8')) as readonly Case[];

async function firedEvents({ input, rows }: Case): Promise<readonly (readonly string[])[]> {
  const conversion = new Conversion(input);
  const yaml = draftYaml(convertRules(conversion, new Map()), 'rules');
  expect(conversion.problems).toEqual([]);
  const pipeline = await createPipeline({ yaml, name: 'rules.yaml' });
  const ranking = await pipeline.rank(rows);
  const fired = new Map(
    ranking.ranked.map((row) => {
      const scores = ranking.terms(row)?.scores ?? {};
      return [row.index, Object.keys(scores).filter((id) => scores[id] === 1)];
    }),
  );
  return rows.map((_, index) => (fired.get(index) ?? ['not scored']).toSorted());
}

describe('rules of json-rules-engine', () => {
  it('has 300 cases in which some rules fire and some do not', () => {
    expect(CASES).toHaveLength(300);
    const rules = CASES.reduce((sum, { input, rows }) => sum + input.rules.length * rows.length, 0);
    const fired = CASES.reduce((sum, one) => sum + one.fired.flat().length, 0);
    expect(fired / rules).toBeGreaterThan(0.3);
    expect(fired / rules).toBeLessThan(0.7);
  });

  it('fires the events that json-rules-engine fires', async () => {
    const wrong: object[] = [];
    for (const one of CASES) {
      // oxlint-disable-next-line no-await-in-loop -- one pipeline at a time
      const found = await firedEvents(one);
      for (const [index, row] of one.rows.entries()) {
        if (JSON.stringify(found[index]) !== JSON.stringify(one.fired[index])) {
          wrong.push({ input: one.input, row, found: found[index], fired: one.fired[index] });
        }
      }
    }
    expect(wrong.length, JSON.stringify(wrong[0])).toBe(0);
  });
});
