/* Rules of json-rules-engine, converted: the same events fire as in json-rules-engine itself. */
import { describe, expect, it } from 'vitest';
import { rulesCases, rulesTally } from '../conformance/json-rules-engine.js';

const CASES = rulesCases();

describe('rules of json-rules-engine', () => {
  it('has 300 cases in which some rules fire and some do not', () => {
    expect(CASES).toHaveLength(300);
    const rules = CASES.reduce((sum, { input, rows }) => sum + input.rules.length * rows.length, 0);
    const fired = CASES.reduce((sum, one) => sum + one.fired.flat().length, 0);
    expect(fired / rules).toBeGreaterThan(0.3);
    expect(fired / rules).toBeLessThan(0.7);
  });

  it('fires the events that json-rules-engine fires', async () => {
    expect(await rulesTally()).toEqual({ passed: 2400, failed: [], skipped: [] });
  });
});
