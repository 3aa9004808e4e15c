/** Every problem has a code that stays the same while its wording improves. Those from ASZ701 on are warnings. */
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
  ASZ520: 'A graph in the context is malformed.',
  ASZ601: 'A command was called wrongly.',
  ASZ701: 'A scorer has a weight of 0.',
  ASZ702: 'A key has no effect.',
  ASZ703: 'A condition always comes out the same.',
  ASZ704: 'The weights of a weighted_sum do not sum to 1.',
  ASZ705: 'Scores of very different ranges are summed.',
  ASZ706: 'A phase, case or row of a table is never reached.',
  ASZ707: 'Two entries ask the same.',
  ASZ708: 'A name is probably another one with a typo.',
  ASZ709: 'Nothing can be selected.',
  ASZ711: 'Several candidates have one id.',
  ASZ712: 'No candidate has a path that is read.',
  ASZ713: 'A score left the range that its class declares.',
  ASZ714: 'A scorer gave every candidate the same number.',
  ASZ715: 'A report warns.',
} as const;

export type ProblemCode = keyof typeof CODES;

/** Whether a code is that of a warning: what is legal, and surely a mistake. */
export const isWarning = (code: ProblemCode): boolean => code.startsWith('ASZ7');
