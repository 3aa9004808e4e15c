import { testOutput } from './broken-cases.js';

const entry = (rest: string): string => `tier2_scorers:\n  - { id: a, ${rest} }\n`;

testOutput('params', {
  'a percentage in place of a number':
    'tier2_scorers: [{ id: a, class: DecayScorer, params: { field: at, curve: { type: window, max_age: 1d }, null_timestamp_score: 50% } }]\n',
  'a param with a typo': `tier2_scorers:
  - id: a
    class: DecayScorer
    params:
      feild: at
      curve: { type: window, max_age: 1d }
`,
  'params that are required': `tier2_scorers:
  - id: a
    class: OutcomeScorer
    params: { value: x }
`,
  'a child’s params, at the child’s own line': `tier2_scorers:
  - id: a
    class: CompositeScorer
    params:
      scorers:
        - expr: candidate.b
        - class: DecayScorer
          params:
            curve: { type: window, max_aeg: 1d }
        - class: Nope
`,
  'an expression in a child, at its column': `tier2_scorers:
  - id: a
    class: CompositeScorer
    params:
      scorers:
        - { weight: 2, expr: candidate.a + }
`,
  'syntax, at its column': `tier1_scorers:
  - id: a
    expr: "candidate.a > (1 + 2"
`,
  'an unknown type of curve': entry('class: DecayScorer, params: { curve: { type: exponental, half_life: 1d } }'),
  'invalid durations': `tier2_scorers:
  - { id: a, class: DecayScorer, params: { curve: { type: exponential, half_life: 30 days } } }
  - { id: b, class: DecayScorer, params: { curve: { type: window, max_age: tomorrow } } }
  - { id: c, class: DecayScorer, params: { curve: { type: window, max_age: 1.5.2d } } }
  - { id: d, class: DecayScorer, params: { curve: { type: window, max_age: .inf } } }
  - { id: e, class: DecayScorer, params: { curve: { type: exponential, half_life: 0 } } }
`,
  'invalid paths': `tier2_scorers:
  - { id: a, class: OutcomeScorer, params: { value: a..b, success: '' } }
  - { id: b, class: CountScorer, params: { items: 'steps[x]' } }
  - { id: c, class: CountScorer, params: { items: 'steps["a' } }
`,
  'an empty composite': entry('class: CompositeScorer, params: { scorers: [] }'),
  'a composite whose weights are not above 0': entry(
    'class: CompositeScorer, params: { scorers: [{ expr: candidate.a, weight: 0 }, { expr: candidate.b, weight: -1 }] }',
  ),
  'a child with everything wrong': entry(
    'class: CompositeScorer, params: { scorers: [{ class: Nope, weight: heavy }, { expr: "candidate.a +" }, {}, 7] }',
  ),
  'bounds the wrong way round':
    'tier1_scorers: [{ id: a, class: ThresholdVeto, params: { value: n, min: 3, max: 1 } }]\n',
  'missing bounds': 'tier1_scorers: [{ id: a, class: ThresholdVeto, params: { value: n } }]\n',
  'a text or a vector, and not both': entry('class: NoveltyScorer, params: { text: a, vector: b }'),
  'an unknown embedder': entry('class: NoveltyScorer, params: { text: a, embedder: lexicl }'),
  'a setting that the embedder does not have': entry(
    'class: NoveltyScorer, params: { text: a, embedder: { name: lexical, model: big } }',
  ),
  'a number that is a text': entry('class: DiversityScorer, params: { items: a, distinct: b, factor: "3" }'),
});
