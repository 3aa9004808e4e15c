/** Every problem has a code that stays the same while its wording improves. */
export const CODES = {
  ASZ101: 'A file cannot be read.',
  ASZ102: 'A file is not YAML (or JSON) that can be parsed.',
  ASZ103: 'A row of candidates cannot be read.',
  ASZ104: 'The context is not what the profile declares.',
  ASZ201: 'A key is not known.',
  ASZ202: 'A value is not of the expected type or range.',
  ASZ203: 'Two entries have the same id.',
  ASZ204: 'An id is malformed or reserved.',
  ASZ205: 'A name refers to nothing.',
  ASZ206: 'A profile extends itself.',
  ASZ301: 'A class is not known.',
  ASZ302: 'A class is found twice.',
  ASZ303: 'A class is of another kind.',
  ASZ304: 'A plugin cannot be loaded.',
  ASZ305: 'A unit is not well formed.',
  ASZ401: 'An expression does not parse.',
  ASZ402: 'An expression does not type-check.',
  ASZ501: 'A run failed in an entry.',
  ASZ502: 'The candidates are not what a ranking needs.',
  ASZ503: 'A candidate has changed since it was ranked.',
  ASZ504: 'A ranking has no such candidate.',
  ASZ601: 'A command was called wrongly.',
} as const;

export type ProblemCode = keyof typeof CODES;
