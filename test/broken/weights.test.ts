import { testOutput } from './broken-cases.js';

testOutput('weights', {
  'weights for an unknown scorer': `tier2_scorers:
  - { id: novelty, expr: candidate.a }
weights:
  by: candidate.k
  cases:
    x: { novlty: 2 }
`,
  'percentages in place of numbers': `tier2_scorers:
  - { id: a, expr: candidate.a, weight: 50% }
select: { min_score: 12.5 % }
`,
  'weights that the combine does not read': `tier2_scorers:
  - { id: a, expr: candidate.a, weight: 2 }
combine: product
`,
  'negative weights in a mean': `tier2_scorers:
  - { id: a, expr: candidate.a, weight: -2 }
weights: { by: candidate.k, cases: { x: { a: -1 } } }
`,
  'weights of 0 in a mean': `tier2_scorers:
  - { id: a, expr: candidate.a, weight: 0 }
`,
  'a weight of 0 next to an invalid entry': `tier2_scorers:
  - { id: a, expr: candidate.a, weight: 0 }
  - { id: b, class: DiversityScorer, params: { itms: steps } }
`,
});
