import { benchProfile } from './bench-profile.js';
import { Best } from './best.js';
import { flags, ids, integers, numbers, texts } from './rows.js';

interface Row {
  readonly domain: string;
  readonly plan: string;
  readonly steps: number;
  readonly tools: number;
  readonly novelty: number;
  readonly confidence: number;
  readonly success: boolean;
}

const yaml = `
tier1_scorers:
  - { id: trivial, expr: candidate.steps < 2 }
  - { id: doubtful, expr: 'candidate.confidence < (candidate.success ? 0.05 : 0.2)' }
tier2_scorers:
  - { id: complexity, expr: 'min(1, candidate.steps / 20 * 0.7 + (candidate.tools > 3 ? 0.3 : 0.0))', weight: 0.25 }
  - { id: novelty, expr: candidate.novelty, weight: 0.35 }
  - { id: diversity, expr: 'min(1, candidate.tools / max(1, candidate.steps) * 3)', weight: 0.15 }
  - { id: outcome, class: OutcomeScorer, weight: 0.25, params: { value: confidence, success: success } }
weights:
  by: candidate.domain
  cases:
    finance: { complexity: 0.20, novelty: 0.25, diversity: 0.10, outcome: 0.45 }
    code: { complexity: 0.20, novelty: 0.30, diversity: 0.30, outcome: 0.20 }
    medical: { complexity: 0.15, novelty: 0.20, diversity: 0.10, outcome: 0.55 }
    customer_service: { complexity: 0.20, novelty: 0.30, diversity: 0.20, outcome: 0.30 }
adjustments:
  - id: plan
    multiply: { table: { free: 0.8, team: 1, enterprise: 1.2 }, by: [candidate.plan] }
select: { top: 100 }
`;

const DOMAINS = ['finance', 'code', 'medical', 'customer_service', 'legal', 'travel'] as const;
const PLANS = ['free', 'team', 'enterprise'] as const;

const columnsOf = (count: number, next: () => number) => ({
  id: ids(count),
  domain: texts(count, next, DOMAINS),
  plan: texts(count, next, PLANS),
  steps: integers(count, next, 1, 30),
  tools: integers(count, next, 0, 8),
  novelty: numbers(count, next, 0, 1),
  confidence: numbers(count, next, 0, 1),
  success: flags(count, next, 0.7),
});

const shares = (...weights: readonly number[]): Float64Array => {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return Float64Array.from(weights, (weight) => weight / sum);
};

const OTHER = shares(0.25, 0.35, 0.15, 0.25);
const FINANCE = shares(0.2, 0.25, 0.1, 0.45);
const CODE = shares(0.2, 0.3, 0.3, 0.2);
const MEDICAL = shares(0.15, 0.2, 0.1, 0.55);
const SERVICE = shares(0.2, 0.3, 0.2, 0.3);

function weightsOf(domain: string): Float64Array {
  switch (domain) {
    case 'finance':
      return FINANCE;
    case 'code':
      return CODE;
    case 'medical':
      return MEDICAL;
    case 'customer_service':
      return SERVICE;
    default:
      return OTHER;
  }
}

const factorOf = (plan: string): number => (plan === 'free' ? 0.8 : plan === 'enterprise' ? 1.2 : 1);

/** Weights by the value of a field, conditionals, and a table of factors: the `knowledgepulse` preset on flat fields. */
export const casesProfile = benchProfile<Row, ReturnType<typeof columnsOf>>({
  name: 'cases',
  yaml,
  columnsOf,
  overObjects: (rows) => {
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < rows.length; row++) {
      const one = rows[row]!;
      const { steps } = one;
      if (steps < 2) continue;
      const { confidence, success } = one;
      if (confidence < (success ? 0.05 : 0.2)) continue;
      const { tools } = one;
      const weights = weightsOf(one.domain);
      const total =
        weights[0]! * Math.min(1, (steps / 20) * 0.7 + (tools > 3 ? 0.3 : 0)) +
        weights[1]! * one.novelty +
        weights[2]! * Math.min(1, (tools / Math.max(1, steps)) * 3) +
        weights[3]! * (confidence * (success ? 1 : 0.3));
      const score = total * factorOf(one.plan);
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
  overColumns: ({ domain, plan, steps, tools, novelty, confidence, success }, count) => {
    const weights = new Float64Array(4 * domain.dictionary.length);
    for (const [code, one] of domain.dictionary.entries()) weights.set(weightsOf(one), 4 * code);
    const factors = Float64Array.from(plan.dictionary, factorOf);
    const [domains, plans, successes] = [domain.codes, plan.codes, success.codes];
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < count; row++) {
      const length = steps[row]!;
      if (length < 2) continue;
      const claimed = confidence[row]!;
      const succeeded = successes[row] === 1;
      if (claimed < (succeeded ? 0.05 : 0.2)) continue;
      const used = tools[row]!;
      const at = 4 * domains[row]!;
      const total =
        weights[at]! * Math.min(1, (length / 20) * 0.7 + (used > 3 ? 0.3 : 0)) +
        weights[at + 1]! * novelty[row]! +
        weights[at + 2]! * Math.min(1, (used / Math.max(1, length)) * 3) +
        weights[at + 3]! * (claimed * (succeeded ? 1 : 0.3));
      const score = total * factors[plans[row]!]!;
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
});
