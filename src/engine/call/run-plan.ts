import { describeValue, type Problem, toAssizeError } from '../../diagnostics/index.js';
import { causeOf } from '../failures/failures.js';
import { overridePlan, type PlanOverrides } from './override-plan.js';
import type { Plan } from '../plan.js';
import type { RunContext } from '../entries/run-context.js';
import type { CompiledLimit } from '../stages/select/types.js';

/**
 * The plan of one run: with the overrides of the call, and with all limits as numbers.
 *
 * @throws AssizeError with every override that the profile has no use for (ASZ534), or every limit that is none (ASZ535)
 */
export function runPlan(plan: Plan, context: RunContext, overrides: PlanOverrides): Plan {
  const own = overridePlan(plan, overrides);
  if (own.limits.length === 0) return own;
  const problems: Problem[] = [];
  const values: { -readonly [Key in CompiledLimit['key']]?: number } = {};
  plan.current.enter(context, () => {
    for (const limit of own.limits) {
      const found = limitIn(limit);
      if (typeof found === 'number') values[limit.key] = found;
      else problems.push(found);
    }
  });
  if (problems.length > 0) throw toAssizeError(problems);
  return overridePlan(own, values);
}

const EXPECTED: Readonly<Record<CompiledLimit['key'], string>> = {
  top: 'a whole number of at least 0',
  min_score: 'a finite number',
};

const isLimit = (key: CompiledLimit['key'], value: unknown): value is number =>
  key === 'top' ? Number.isSafeInteger(value) && Number(value) >= 0 : Number.isFinite(value);

/** The value of a limit in the current run, or what is wrong with it. */
function limitIn({ key, spec, evaluate }: CompiledLimit): number | Problem {
  const { expression, path, place } = spec;
  const problem = (found: string, hint?: string): Problem => {
    const message = `the ${key} ${expression.source} ${found}; expected ${EXPECTED[key]}`;
    return { code: 'ASZ535', message, path, place, hint };
  };
  try {
    const value = evaluate();
    if (isLimit(key, value)) return value;
    if (value !== undefined) return problem(`is ${describeValue(value)}`);
    return problem('is absent', 'the context has none: context.?name.orValue(10) says what holds then');
  } catch (error) {
    return problem(`failed: ${causeOf(error)}`);
  }
}
