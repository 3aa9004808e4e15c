import { describe, expect, it } from 'vitest';
import { pipelines } from './cupel-pipelines.js';
import { placing, slicing } from './cupel-selection.js';

const fixture = (name: string): string => new URL(`../fixtures/cupel/${name}`, import.meta.url).pathname;

describe('the selectors of the pack cupel agree with Cupel', () => {
  it('on its conformance vectors of slicers', async () => {
    expect(await slicing(fixture('slicing'))).toEqual({ passed: 12, failed: [], skipped: [] });
  });

  it('on those of placers', async () => {
    expect(await placing(fixture('placing'))).toEqual({ passed: 3, failed: [], skipped: [] });
  });

  it('on those of whole pipelines, with the reasons for included and excluded items', async () => {
    expect(await pipelines(fixture('pipeline'))).toEqual({ passed: 14, failed: [], skipped: [] });
  });
});
