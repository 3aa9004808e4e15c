import { describe, expect, test } from 'vitest';
import { compareSystem, SYSTEMS } from './systems.js';

const fixture = (name: string): string => new URL(`../fixtures/systems/${name}.json`, import.meta.url).pathname;

describe('a profile computes the cases of the system’s own test table', () => {
  test.each(SYSTEMS)('%s', async (name) => {
    const { passed, failed } = await compareSystem(name, fixture(name));
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(0);
  });
});
