import { describe, expect, it } from 'vitest';
import { LABELLED_MEASURES, MEASURES } from '@assize/evaluate';
import { assize } from './run-here.js';

describe('assize help', () => {
  it('equals assize --help, and assize VERB --help', async () => {
    const [asked, all] = await Promise.all([assize(['help']), assize(['--help'])]);
    expect(asked).toEqual(all);
    expect(asked).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Usage: assize /) });
    expect(await assize(['help', 'rank'])).toEqual(await assize(['rank', '--help']));
  });

  it('explains every measure', async () => {
    const { code, out, err } = await assize(['help', 'measures']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const name of [...Object.keys(MEASURES), ...Object.keys(LABELLED_MEASURES), 'Judged@10', 'p is'])
      expect(out).toContain(name);
  });

  it('reports an unknown command', async () => {
    expect(await assize(['help', 'rnak'])).toEqual({
      code: 2,
      out: '',
      err: 'error ASZ601 unknown command rnak\n  did you mean rank?\n',
    });
  });

  it('is shown if no command is given, with exit code 2', async () => {
    const { code, out, err } = await assize([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^Usage: assize /);
  });
});
