import { PROBLEM_CODES } from '../../src/sdk.js';

/** What the first digit of a code says. */
const GROUPS: Readonly<Record<string, string>> = {
  1: 'files and what is in them',
  2: 'what a profile says',
  3: 'classes and plugins',
  4: 'expressions',
  5: 'a run',
  6: 'the command line',
  7: 'warnings: legal, and surely a mistake',
};

/** Every code, in groups. */
export function codesTable(): string {
  const rows = Object.entries(PROBLEM_CODES).map(([code, meaning]) => {
    return `| ${code} | ${meaning} | ${GROUPS[code.charAt(3)] ?? ''} |`;
  });
  return ['| code | what it says | about |', '|---|---|---|', ...rows].join('\n');
}
