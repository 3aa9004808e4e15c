/**
 * The codes of the core, each with its meaning. A code stays the same while the wording of its messages improves. Those
 * from ASZ701 on are warnings. A plugin declares its own as the export `codes`.
 */
export const PROBLEM_CODES = {
  ASZ101: 'A file cannot be read.',
  ASZ102: 'A file is not YAML (or JSON) that can be parsed.',
  ASZ103: 'A row of candidates cannot be read.',
  ASZ104: 'The context is not what the profile declares.',
  ASZ105: 'An entry cannot have a memory file.',
  ASZ106: 'A memory file cannot be read or written.',
  ASZ107: 'A memory file is not whole.',
  ASZ108: 'A memory file is not of this entry.',
  ASZ109: 'A memory file is in use, or was changed meanwhile.',
  ASZ201: 'A key is not known.',
  ASZ202: 'A value is not of the expected type or range.',
  ASZ203: 'Two entries have the same id.',
  ASZ204: 'An id is malformed or reserved.',
  ASZ205: 'A name refers to nothing.',
  ASZ206: 'A profile extends itself.',
  ASZ210: 'A budget contradicts itself.',
  ASZ211: 'An entry inside a selector is not a selector.',
  ASZ301: 'A class is not known.',
  ASZ302: 'A class is found twice.',
  ASZ303: 'A class is of another kind.',
  ASZ304: 'A plugin cannot be loaded.',
  ASZ305: 'A unit is not well formed.',
  ASZ306: 'A plugin declares a code that is malformed, or taken.',
  ASZ401: 'An expression does not parse.',
  ASZ402: 'An expression does not type-check.',
  ASZ403: 'An expression takes more steps than it may.',
  ASZ501: 'A run failed in an entry.',
  ASZ502: 'The candidates are not what a ranking needs.',
  ASZ503: 'A candidate has changed since it was ranked.',
  ASZ504: 'A ranking has no such candidate.',
  ASZ505: 'Nothing orders the candidates before a rerank.',
  ASZ507: 'A candidate is compared with itself.',
  ASZ508: 'Two rankings are not of the same candidates.',
  ASZ510: 'The pinned candidates cannot be packed.',
  ASZ511: 'What was packed is over its target.',
  ASZ512: 'A selector has broken its contract.',
  ASZ513: 'A run has no budget, or not a usable one.',
  ASZ514: 'What a selector requires is not all there.',
  ASZ515: 'A key of a profile stands both under scoring and at the root.',
  ASZ516: 'A run that may not wait would have to.',
  ASZ517: 'A run that may not wait would have to wait for its turn.',
  ASZ518: 'A profile needs more of its candidates than a stream or a thread can give.',
  ASZ519: 'A worker thread has ended before its work was done.',
  ASZ523: 'An approximate index needs a package that is not installed.',
  ASZ524: 'The package of an approximate index cannot be used.',
  ASZ525: 'A language model cannot be asked.',
  ASZ526: 'A language model does not answer.',
  ASZ527: 'The answer of a language model cannot be used.',
  ASZ533: 'An option of a call is not known, or not what it should be.',
  ASZ534: 'A call gives a weight or a limit that the profile has no use for, or a ranking cannot be weighed again.',
  ASZ601: 'A command was called wrongly.',
  ASZ602: 'Nothing that can be listed has that name.',
  ASZ603: 'A new unit or profile cannot have that name.',
  ASZ604: 'A file that would be written is there already.',
  ASZ701: 'A scorer has a weight of 0.',
  ASZ702: 'A key has no effect.',
  ASZ703: 'A condition always comes out the same.',
  ASZ704: 'The weights of a weighted_sum do not sum to 1.',
  ASZ705: 'Scores of very different ranges are summed.',
  ASZ706: 'A phase, case or row of a table is never reached.',
  ASZ707: 'Two entries compute the same.',
  ASZ708: 'A name is probably another one with a typo.',
  ASZ709: 'Nothing can be selected.',
  ASZ710: 'A rerank asks about fewer than are selected.',
  ASZ711: 'Several candidates have one id.',
  ASZ712: 'No candidate has a path that is read.',
  ASZ713: 'A score left the range that its class declares.',
  ASZ714: 'A scorer gave every candidate the same number.',
  ASZ715: 'A report warns.',
  ASZ716: 'Nothing can be pruned.',
  ASZ717: 'There are no candidates.',
} as const;

/** A code of the core, or one that a plugin declares. */
export type ProblemCode = keyof typeof PROBLEM_CODES | (string & {});

/** Whether a code is one of the core's. */
export const isCoreCode = (code: ProblemCode): code is keyof typeof PROBLEM_CODES => Object.hasOwn(PROBLEM_CODES, code);

/**
 * Whether a code is that of a warning: legal, and surely a mistake. Only the core warns; a plugin's codes are errors.
 */
export const isWarning = (code: ProblemCode): boolean => isCoreCode(code) && code.startsWith('ASZ7');
