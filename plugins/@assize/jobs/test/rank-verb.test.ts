import { describe, expect, test } from 'vitest';
import { assize, inFolder } from '../../../../test/cli/run-here.js';

const scorer = 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n';

inFolder({
  'rows.jsonl': '{"id":1,"stars":2}\n',
  'unlimited.yaml': scorer,
  'duplicates.yaml': `${scorer}select: { top: 3, duplicates: candidate.id }\n`,
});

/** The hint of `assize jobs rank` for a profile that it refuses before it needs the queue. */
async function hintFor(profile: string): Promise<string | undefined> {
  const { code, out, err } = await assize(['jobs', 'rank', '-q', 'redis://127.0.0.1:1', '-p', profile, 'rows.jsonl']);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain('error ASZ518');
  return err.trimEnd().split('\n').at(-1)?.trim();
}

describe('a profile that cannot be ranked in parts', () => {
  test('is ranked by another command', async () => {
    expect(await hintFor('./duplicates.yaml')).toBe(
      'rank it in one process: assize rank --profile ./duplicates.yaml rows.jsonl',
    );
  });

  test('needs a limit', async () => {
    expect(await hintFor('./unlimited.yaml')).toBe(
      'limit it with --top 100, or in the profile with select: { top: 100 }',
    );
  });
});
