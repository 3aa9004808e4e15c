import { isCoreCode, type PROBLEM_CODES, type ProblemCode } from './codes.js';

/** Who can mend what is wrong, and what it lies in. A server answers the caller's with 4xx, and the others with 5xx. */
export const FAULTS = {
  caller: 'what the call brings: candidates, context, options, the command line',
  profile: 'the profile, as it is written or as a what-if changes it',
  unit: 'a unit: it is malformed, or it fails and its rule fails the run',
  environment: 'what is around: files, packages, threads, models',
} as const;

/** Whose fault a problem is. */
export type Fault = keyof typeof FAULTS;

const CODE_FAULTS: Readonly<Record<keyof typeof PROBLEM_CODES, Fault>> = {
  ASZ101: 'environment',
  ASZ102: 'profile',
  ASZ103: 'caller',
  ASZ104: 'caller',
  ASZ105: 'profile',
  ASZ106: 'environment',
  ASZ107: 'environment',
  ASZ108: 'profile',
  ASZ109: 'environment',
  ASZ201: 'profile',
  ASZ202: 'profile',
  ASZ203: 'profile',
  ASZ204: 'profile',
  ASZ205: 'profile',
  ASZ206: 'profile',
  ASZ210: 'profile',
  ASZ211: 'profile',
  ASZ301: 'profile',
  ASZ302: 'profile',
  ASZ303: 'profile',
  ASZ304: 'unit',
  ASZ305: 'unit',
  ASZ306: 'unit',
  ASZ401: 'profile',
  ASZ402: 'profile',
  ASZ501: 'unit',
  ASZ502: 'caller',
  ASZ503: 'caller',
  ASZ504: 'caller',
  ASZ505: 'profile',
  ASZ507: 'caller',
  ASZ508: 'caller',
  ASZ510: 'caller',
  ASZ511: 'caller',
  ASZ512: 'unit',
  ASZ513: 'caller',
  ASZ514: 'caller',
  ASZ515: 'profile',
  ASZ516: 'caller',
  ASZ517: 'caller',
  ASZ518: 'caller',
  ASZ519: 'environment',
  ASZ523: 'environment',
  ASZ524: 'environment',
  ASZ525: 'environment',
  ASZ526: 'environment',
  ASZ527: 'environment',
  ASZ533: 'caller',
  ASZ534: 'caller',
  ASZ535: 'caller',
  ASZ601: 'caller',
  ASZ602: 'caller',
  ASZ603: 'caller',
  ASZ604: 'caller',
  ASZ701: 'profile',
  ASZ702: 'profile',
  ASZ703: 'profile',
  ASZ704: 'profile',
  ASZ705: 'profile',
  ASZ706: 'profile',
  ASZ707: 'profile',
  ASZ708: 'profile',
  ASZ709: 'profile',
  ASZ710: 'profile',
  ASZ711: 'caller',
  ASZ712: 'profile',
  ASZ713: 'unit',
  ASZ714: 'profile',
  ASZ715: 'caller',
  ASZ716: 'profile',
  ASZ717: 'caller',
};

/** Whose fault a code is. A plugin declares codes for what its units find wrong in the context: the caller's. */
export const faultOf = (code: ProblemCode): Fault => (isCoreCode(code) ? CODE_FAULTS[code] : 'caller');

/** Whose fault several problems are: the caller's where all are, so that the caller can mend it; else that of the first other. */
export const faultOfAll = (codes: readonly ProblemCode[]): Fault =>
  codes.map(faultOf).find((fault) => fault !== 'caller') ?? 'caller';
