import type { UnitKind, UnitClass } from '../sdk/index.js';
import { memory } from './rules.js';
import * as rules from './rules.js';
import * as selectors from './rules.js';
import { params, sameValueAgain, validFocuses } from './rules.js';
import {
  candidatesForKind,
  checkExample,
  checkUnitClass,
  openTestSession,
  type RuleCheck,
  type RuleSubject,
  type UnitExample,
} from './test-session.js';

/**
 * The rules of the contract:
 * `loads`: the example's params are valid, and the engine can compile or prepare the unit;
 * `params`: an unknown param is refused, and if no param is required, the unit works without params;
 * `value`: finite numbers (vetoes: booleans) or undefined, and no failure unless the example has `mayFail`; for a selector:
 *   given = kept + left, and pinned rows are kept;
 * `range`: values are within the declared range;
 * `limits`: a selector does not exceed the limits, unless it declares that it may;
 * `deterministic`: the same values in another run, and in another order;
 * `unchanged`: candidates and context are not written to;
 * `reads`: with `reads: 'params'`, fields that no param names change nothing;
 * `scope`: `candidate`: any part of a batch has the same scores; `set`: the order does not change them;
 * `reasons`: notes have declared reasons, with the data that the templates name;
 * `explanation`: a note does not change the value;
 * `memory`: the old memory is not written into, a batch leaves the memory of the same calls one after another, and a
 *   stored memory is restored.
 */
export type ContractRule =
  | 'loads'
  | 'params'
  | 'value'
  | 'range'
  | 'limits'
  | 'deterministic'
  | 'unchanged'
  | 'reads'
  | 'scope'
  | 'reasons'
  | 'explanation'
  | 'memory';

/** A rule that a unit violates, with what was observed. */
export interface ContractFinding {
  readonly rule: ContractRule;
  readonly seen: string;
}

const SCORING_CHECKS: Readonly<Partial<Record<ContractRule, RuleCheck>>> = {
  params,
  value: rules.values,
  range: rules.range,
  deterministic: rules.deterministic,
  unchanged: rules.unchanged,
  reads: rules.reads,
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
 * Checks a unit on an example against the rules of the contract, through the engine and by direct calls. In vitest:
 *
 * ```ts
 * expect(await checkUnit(StarsScorer, { params: { most: 1000 }, candidates: repositories })).toEqual([]);
 * ```
 *
 * To check a selector, pass `rows`, one per candidate, and `limits`.
 *
 * @returns every violation of a rule; empty if the unit passes
 * @throws AssizeError if an argument is not a unit or an example
 */
export async function checkUnit(unit: UnitClass, example: UnitExample): Promise<readonly ContractFinding[]> {
  checkUnitClass('checkUnit', unit);
  checkExample('checkUnit', example);
  const checks = CHECKS_BY_KIND[unit.meta.kind];
  let subject: RuleSubject;
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
