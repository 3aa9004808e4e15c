import type { Problem } from '../../diagnostics/problem.js';

type UsageMessage = Pick<Problem, 'message' | 'hint'>;

/** `a, b, c` as `a, b or c`. */
const either = (list: string): string => list.replace(/, ([^,]*)$/, ' or $1');

/** A value that is none of its choices, or for which its own reader has words. */
function invalidOptionValue(where: string, found: string, words: string): UsageMessage {
  const choices = /^Allowed choices are (.*)$/.exec(words)?.[1];
  if (choices === undefined) return { message: `${where}: ${words}` };
  return { message: `${where}: expected ${either(choices)}, found ${JSON.stringify(found)}` };
}

/** What commander says of a command line that it cannot read, and what is said instead. */
const USAGE_MESSAGES: readonly [commanders: RegExp, ours: (...parts: readonly string[]) => UsageMessage][] = [
  [
    /^unknown (option|command) '(.+?)'(?:\n\(Did you mean (?:one of )?(.+)\?\))?$/,
    (kind, name, near) => ({ message: `there is no ${kind} ${name}`, hint: near && `did you mean ${either(near)}?` }),
  ],
  [/^missing required argument '(.+)'$/, (name) => ({ message: `<${name}> is missing` })],
  [
    /^too many arguments for '.+'\. Expected (\d+) arguments? but got (\d+)\.$/,
    (most, found) => ({
      message: `found ${found} arguments, expected at most ${most}`,
      hint: 'a text with spaces in it goes into quotes',
    }),
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*?)' is invalid\. (.*)\.$/s,
    (option = '', found = '', words = '') => invalidOptionValue(option, found, words),
  ],
  [
    /^command-argument value '(.*?)' is invalid for argument '(.*?)'\. (.*)\.$/s,
    (found = '', name = '', words = '') => invalidOptionValue(`<${name}>`, found, words),
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+) ([^']*)' argument missing$/,
    (option, value) => ({ message: `${option}: expected ${value}, found nothing` }),
  ],
];

/**
 * A command line that cannot be read, as a problem.
 *
 * @param text what commander says of it
 */
export function usageProblem(text: string): Problem {
  const said = text.replace(/^error: /, '').trimEnd();
  for (const [commanders, ours] of USAGE_MESSAGES) {
    const match = commanders.exec(said);
    if (match) return { code: 'ASZ601', ...ours(...match.slice(1)) };
  }
  return { code: 'ASZ601', message: said };
}
