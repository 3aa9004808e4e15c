/**
 * For those who test units: the contract that every unit keeps, and numbers that are known, each as one function. They
 * give lists of findings, so that any test runner will do, or none.
 *
 * @module
 */
import type { UnitClass, UnitKind } from '../contract/index.js';
import { candidatesForKind, memory, params, sameValueAgain, validFocuses } from './rules/memory-rules.js';
import * as rules from './rules/scorer-rules.js';
import * as selectors from './rules/selector-rules.js';
import { openTestSession, type UnitExample } from './test-session.js';

export type { RowExample, UnitExample } from './test-session.js';
export {
  checkVectors,
  type Expected,
  type UnitVector,
  type VectorFinding,
  type VectorOptions,
} from './vectors.js';

/**
 * The rules of the contract:
 * `loads`: the example's params are valid, and the engine can compile or prepare the unit;
 * `params`: a param that it does not know is refused, and where none is required it works without any;
 * `value`: finite numbers (vetoes: booleans) or nothing, and no failure unless the example says `mayFail`; of a selector:
 *   given = kept + left, and the pinned are kept;
 * `range`: within the range that it declares;
 * `limits`: a selector keeps no more than there is room for, unless it says that it may;
 * `deterministic`: the same again, whenever and in whatever order it is asked;
 * `unchanged`: candidates and context are not written to;
 * `scope`: `candidate`: any part of a batch scores the same; `set`: their order changes nothing;
 * `reasons`: it notes what its meta declares, with the data that the templates name;
 * `explanation`: asked why, it gives the value that it gave before;
 * `memory`: it writes into no memory, a batch teaches what one call after another would, and what is stored comes back.
 */
export type ContractRule =
  | 'loads'
  | 'params'
  | 'value'
  | 'range'
  | 'limits'
  | 'deterministic'
  | 'unchanged'
  | 'scope'
  | 'reasons'
  | 'explanation'
  | 'memory';

/** A rule that a unit breaks, and what was seen of it. */
export interface ContractFinding {
  readonly rule: ContractRule;
  readonly seen: string;
}

type RuleCheck = (subject: rules.RuleSubject) => rules.RuleViolations | Promise<rules.RuleViolations>;

const SCORING_CHECKS: Readonly<Partial<Record<ContractRule, RuleCheck>>> = {
  params,
  value: rules.values,
  range: rules.range,
  deterministic: rules.deterministic,
  unchanged: rules.unchanged,
  scope: rules.scope,
  reasons: rules.reasons,
  explanation: rules.explanation,
  memory,
};

const CHECKS_BY_KIND: Readonly<Record<UnitKind, Readonly<Partial<Record<ContractRule, RuleCheck>>>>> = {
  veto: SCORING_CHECKS,
  scorer: SCORING_CHECKS,
  signal: { params, deterministic: sameValueAgain },
  generator: { params, value: validFocuses, deterministic: sameValueAgain },
  report: { params, deterministic: sameValueAgain },
  selector: {
    params,
    value: selectors.partition,
    limits: selectors.limits,
    deterministic: selectors.sameRows,
    unchanged: selectors.unchangedRows,
    reasons: selectors.leftReasons,
  },
};

/**
 * Tries a unit on an example, through the engine and beside it. In vitest:
 *
 * ```ts
 * expect(await checkUnit(StarsScorer, { params: { most: 1000 }, candidates: repositories })).toEqual([]);
 * ```
 *
 * A selector is tried with `rows`, one a candidate, and `limits`.
 *
 * @returns every rule that it breaks; an empty list is a pass
 */
export async function checkUnit(unit: UnitClass, example: UnitExample): Promise<readonly ContractFinding[]> {
  const checks = CHECKS_BY_KIND[unit.meta.kind];
  let subject: rules.RuleSubject;
  try {
    const session = await openTestSession(unit, example);
    subject = { unit, example, first: await session.run(candidatesForKind(unit.meta.kind, example.candidates)) };
  } catch (error) {
    return [{ rule: 'loads', seen: error instanceof Error ? error.message : String(error) }];
  }
  const findings: ContractFinding[] = [];
  for (const [rule, check] of Object.entries(checks) as [ContractRule, RuleCheck][]) {
    try {
      for (const seen of await check(subject)) findings.push({ rule, seen });
    } catch (error) {
      findings.push({ rule, seen: `it failed: ${error instanceof Error ? error.message : String(error)}` });
    }
  }
  return findings;
}
