import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPipeline } from 'assize';
import { packageRoot } from '../../src/base/package-root.js';
import { Conversion, draftYaml } from '../../src/cli/convert/draft.js';
import { convertRules } from '../../src/cli/convert/json-rules-engine.js';
import { agree, type Case, type Tally } from './tally.js';

interface RulesCase {
  readonly input: { readonly rules: readonly object[]; readonly conditions: object };
  readonly rows: readonly object[];
  /** The types of the events that json-rules-engine fired, by row. */
  readonly fired: readonly (readonly string[])[];
}

export const rulesCases = (): readonly RulesCase[] => {
  const file = join(packageRoot(), 'test/fixtures/json-rules-engine/cases.json');
  return JSON.parse(readFileSync(file, 'utf8')) as readonly RulesCase[];
};

async function firedEvents({ input, rows }: RulesCase): Promise<readonly (readonly string[])[]> {
  const conversion = new Conversion(input);
  const yaml = draftYaml(convertRules(conversion, new Map()), 'rules');
  if (conversion.problems.length > 0) return rows.map(() => ['not converted']);
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

/** Compares the fired events of each row with those of json-rules-engine. */
export async function rulesTally(): Promise<Tally> {
  const cases: Case[] = [];
  for (const [n, one] of rulesCases().entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one pipeline at a time
    const found = await firedEvents(one);
    cases.push(
      ...one.fired.map((expected, row): Case => ({ name: `rules ${n}, row ${row}`, expected, found: found[row] })),
    );
  }
  return agree(cases, 0);
}
