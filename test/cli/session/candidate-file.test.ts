import { describe, expect, it } from 'vitest';
import { assize, inFolder, REPOS, TEAM } from '../run-here.js';

inFolder({
  'team.yaml': TEAM,
  'line-3.jsonl': '{"name":"a","stars":1}\n{"name":"b","stars":2}\n{"name":"c","stars":3\n{"name":"d","stars":4}\n',
  'repos.jsonl': '{"name":"a","stars":1}',
  'empty.jsonl': '',
  'header.csv': 'name,stars\n',
  'header.tsv': 'name\tstars\n\n',
  'table.csv': 'name,stars,archived\na,900,false\nb,,False\nc,5000,TRUE\n',
  'ragged.csv': 'name,stars\na,1\nb,2,3\n',
  'list.txt': '[{"name":"a","stars":1}]',
});

/** The ids of the ranked candidates, best first. */
async function idsOf(args: readonly string[], stdin: string | readonly (string | Uint8Array)[]): Promise<string[]> {
  const { code, out, err } = await assize(['rank', '-p', './team.yaml', '--format', 'jsonl', ...args], { stdin });
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('error') });
  return out
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id);
}

const TWO = REPOS.slice(0, 2);
const lines = TWO.map((repo) => JSON.stringify(repo)).join('\n');

describe('candidates from standard input', () => {
  it.each([
    ['a list', JSON.stringify(TWO)],
    ['a list over many lines', `\n\n  ${JSON.stringify(TWO, undefined, 2)}`],
    ['a list after a byte order mark', `\ufeff${JSON.stringify(TWO)}`],
    ['lines', lines],
    ['lines after blank ones', `\n \r\n${lines}\r\n\n`],
    ['lines after a byte order mark', `\ufeff${lines}`],
  ])('%s', async (_, stdin) => {
    expect(await idsOf([], stdin)).toEqual(['alpha', 'beta']);
    expect(
      await idsOf(
        ['-'],
        Array.from(Buffer.from(stdin), (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(['alpha', 'beta']);
  });

  it('accepts one object that continues on the next line', async () => {
    expect(await idsOf([], JSON.stringify(REPOS[0], undefined, 2))).toEqual(['alpha']);
  });

  it('has the format that --input states', async () => {
    expect(await idsOf(['--input', 'json'], JSON.stringify(TWO))).toEqual(['alpha', 'beta']);
    const { code, err } = await assize(['rank', '-p', './team.yaml', '--input', 'jsonl'], { stdin: '[{}]' });
    expect(code).toBe(1);
    expect(err).toMatchInlineSnapshot(`
      "stdin:1:1 error ASZ103 found a list, expected an object
        1 | [{}]
          | ^
        JSON Lines has one object per line; if the file is one list, it is JSON: name it .json
      "
    `);
  });

  it.each([[''], ['\n \n'], [[]]])('reports that there are none, %j', async (stdin) => {
    const { code, out, err } = await assize(['rank', '-p', './team.yaml'], { stdin });
    expect({ code, out }).toEqual({ code: 0, out: 'team: 0 candidates, 0 selected\n' });
    expect(err).toBe('warning ASZ717 there are no candidates in stdin\n  name a file, or pipe them in\n');
  });

  it('accepts an empty list without a warning', async () => {
    const { code, out, err } = await assize(['rank', '-p', './team.yaml'], { stdin: ' []' });
    expect({ code, out, err }).toEqual({ code: 0, out: 'team: 0 candidates, 0 selected\n', err: '' });
  });
});

describe('candidates from a file', () => {
  it('are recognised by their content if the extension is unknown', async () => {
    expect(await idsOf(['list.txt'], '')).toEqual(['a']);
  });

  it('are read as CSV and TSV by their extension, or by --input', async () => {
    const table = 'name\tstars\narchived\t1\nb\t2\n';
    expect(await idsOf(['table.csv'], '')).toEqual(['a']);
    expect(await idsOf(['--input', 'tsv'], table)).toEqual(['b', 'archived']);
    expect(await idsOf(['--input', 'csv', '-'], table.replaceAll('\t', ','))).toEqual(['b', 'archived']);
  });

  it('must not be YAML', async () => {
    expect(await assize(['rank', '-p', './team.yaml', 'team.yaml'])).toEqual({
      code: 2,
      out: '',
      err: `error ASZ601 team.yaml is YAML, and candidates are JSON, JSON Lines, CSV, TSV, Parquet, Arrow, LIBSVM, TREC runs, OTLP, logs of OpenAI, logs of Anthropic, sessions of Claude Code or messages
  pass a profile with --profile
`,
    });
  });

  it.each([
    ['rank', ''],
    ['score', 'table'],
    ['score', 'jsonl'],
  ])('without candidates: %s %s', async (verb, format) => {
    const options = format === '' ? [] : ['--format', format];
    for (const file of ['empty.jsonl', 'header.csv', 'header.tsv']) {
      // oxlint-disable-next-line no-await-in-loop -- the working folder belongs to the process
      const { code, err } = await assize([verb, '-p', './team.yaml', ...options, file]);
      expect({ code, err }).toEqual({
        code: 0,
        err: expect.stringContaining(`ASZ717 there are no candidates in ${file}`),
      });
    }
  });

  it.each(['line-3.jsonl', 'ragged.csv', 'repos.json', 'nowhere.json', '.'])(
    'that cannot be read: %s',
    async (file) => {
      const { code, out, err } = await assize(['rank', '-p', './team.yaml', file]);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err.replaceAll(process.cwd(), 'HERE')).toMatchSnapshot();
    },
  );
});
