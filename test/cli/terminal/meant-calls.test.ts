/* Command lines that are wrong in a common way: the error has the call that was meant. */
import { describe, expect, test } from 'vitest';
import { assize, inFolder } from '../run-here.js';

inFolder({
  'shop.yaml': 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n',
  'shop.json': '[{ "id": "a", "stars": 1 }]',
});

const hintOf = async (...args: readonly string[]): Promise<readonly string[]> => {
  const { code, out, err } = await assize(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  return err.trimEnd().split('\n').slice(0, 2);
};

describe('an argument that is the value of an option', () => {
  test.each([
    [['rank', 'shop.yaml', 'shop.json'], 'assize rank --profile shop.yaml shop.json'],
    [['rank', './shop.yaml'], 'assize rank --profile ./shop.yaml FILE'],
    [['score', 'shop.yaml'], 'assize score --profile shop.yaml FILE'],
    [['rank', 'chat', 'shop.json'], 'assize rank --profile chat shop.json'],
    [['rank', 'shop.json'], 'assize rank --profile PRESET_OR_PATH FILE'],
    [['explain', 'a', './my shop.yaml'], "assize explain --profile './my shop.yaml' a"],
  ])('%j', async (args, call) => {
    expect(await hintOf(...args)).toEqual(['error ASZ601 --profile is missing', `  ${call}`]);
  });

  test('is the profile, the candidates or the folder if there are too many', async () => {
    expect((await hintOf('pack', 'shop.yaml', 'shop.json'))[1]).toBe('  assize pack --profile shop.yaml shop.json');
    expect((await hintOf('check', 'shop.yaml', 'shop.json'))[1]).toBe('  assize check shop.yaml --data shop.json');
    expect((await hintOf('serve', '.'))[1]).toBe('  assize serve --profiles .');
    expect((await hintOf('score', '-p', 'shop.yaml', 'a', 'b'))[1]).toBe('  put a text with spaces in quotes');
  });
});

test.each([
  [['rank', '-p', './shop.yaml', 'shop.json', '--limit', '3'], 'unknown option --limit', 'did you mean --top?'],
  [['rank', '-p', './shop.yaml', 'shop.json', '--json'], 'unknown option --json', 'did you mean --format?'],
  [['validate', './shop.yaml'], 'unknown command validate', 'did you mean check?'],
  [
    ['explain', '-p', './shop.yaml'],
    '<id> is missing',
    "its id, its row in the table of rank: '#3', or its position in the input: '@3'",
  ],
])('%j names what was meant', async (args, message, hint) => {
  expect(await hintOf(...args)).toEqual([`error ASZ601 ${message}`, `  ${hint}`]);
});

test('explain with a file and no id asks for the id', async () => {
  const { code, err } = await assize(['explain', '-p', './shop.yaml', 'shop.json'], { stdin: '' });
  expect(code).toBe(2);
  expect(err).toContain('the id of the candidate is missing\n  assize explain --profile … ID shop.json');
  const swapped = await assize(['explain', '-p', './shop.yaml', 'shop.json', 'a']);
  expect(swapped.code).toBe(2);
  expect(swapped.err).toContain(
    'the id of the candidate comes before the file\n  assize explain --profile … a shop.json',
  );
  const named = await assize(['explain', '-p', './shop.yaml', 'shop.json'], { stdin: '{"id":"shop.json","stars":1}' });
  expect({ code: named.code, out: named.out.slice(0, 9) }).toEqual({ code: 0, out: 'shop.json' });
});
