import { Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { usageProblem } from '../../../src/cli/terminal/problems.js';
import { assize } from '../run-here.js';

/** The message about a command line, without the pointer to the help. */
async function saidOf(line: string): Promise<string> {
  const { code, out, err } = await assize(line.split(' '));
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/\nassize [a-z ]*--help (?:shows|lists) [a-z ]+\n$/);
  return err.replace(/assize [a-z ]*--help (?:shows|lists) .*\n$/, '');
}

describe('a command line that cannot be parsed', () => {
  it.each([
    ['new foo bar', '<kind>: expected scorer, veto, profile or project, found "foo"'],
    ['new scorer', '<name> is missing\n  a name for its purpose: brevity, or BrevityScorer'],
    ['new scorer a b c', 'found 4 arguments, expected at most 2\n  put a text with spaces in quotes'],
    ['rnak', 'unknown command rnak\n  did you mean rank?'],
    ['nothing-like-it', 'unknown command nothing-like-it'],
    ['rank --colour', 'unknown option --colour'],
    ['rank --porfile x', 'unknown option --porfile\n  did you mean --profile?'],
    ['rank -f xml', '--format: expected table, json, jsonl, messages or arrow, found "xml"'],
    ['rank -n 0.5', '--top: expected a whole number of at least 1, found "0.5"'],
    ['pack -b lots', '--budget: expected a number of at least 0, found "lots"'],
    ['rank --top', '--top: expected <number>, found nothing'],
    ['list --plugin', '--plugin: expected <name-or-path>, found nothing'],
    ['list --pack', '--pack: expected <name-or-path>, found nothing'],
    ['list --porfile=x', 'unknown option --porfile'],
    ['rank --no-such', 'unknown option --no-such'],
    ['rank -x', 'unknown option -x'],
    ['--verison', 'unknown option --verison\n  did you mean --version?'],
    ['sql', '--dialect is missing\n  expected duckdb, postgres or spark'],
    [
      'sql --dialect duckdb',
      '<profile> is missing\n  a preset, or the path of a profile: it has a slash, or ends in .yaml, .yml or .json',
    ],
    ['rank -p', '--profile: expected <preset-or-path>, found nothing'],
    ['rank --now yesterday', /^--now: expected .*yesterday/],
  ])('%s', async (line, said) => {
    const text = (await saidOf(line)).replace(/^error ASZ601 /, '');
    if (typeof said === 'string') expect(text).toBe(`${said}\n`);
    else expect(text).toMatch(said);
  });

  it('is reported in red if colours are on', async () => {
    const { err } = await assize(['rnak'], { terminal: 80 });
    expect(err.startsWith('\u001b[31merror\u001b[39m ')).toBe(true);
  });

  it('is reported in the words of the parser for an unknown error', () => {
    const error = new CommanderError(1, 'commander.somethingNew', 'something new');
    expect(usageProblem(error, new Command(), [])).toEqual({ code: 'ASZ601', message: 'something new' });
  });
});
