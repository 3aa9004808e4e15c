import { checked, testOutput } from './broken-cases.js';

const entry = (rest: string): string => `tier2_scorers:\n  - { id: a, ${rest} }\n`;

testOutput('names', {
  'a class with a typo': `tier2_scorers:
  - id: a
    class: DecyScorer
`,
  'a class with a typo of a plugin that is not loaded': `tier2_scorers:
  - id: a
    class: RecencyScorr
`,
  'a class with a typo of a plugin that is not loaded, inside another, and of a selector': `tier2_scorers:
  - id: a
    class: CompositeScorer
    params: { scorers: [{ class: TagScore, weight: 2 }, { class: CompositeScorer, params: { scorers: [{ class: PageRankScoer }] } }] }
select: { top: 3, place: { class: UShapd } }
`,
  'a class of a plugin that is not loaded': `tier2_scorers:
  - id: a
    class: RecencyScorer
`,
  'an unknown class': `tier2_scorers:
  - id: a
    class: Banana
`,
  'a veto among the scorers': `tier2_scorers:
  - id: a
    class: ThresholdVeto
    params: { value: a, max: 1 }
`,
  'a scorer among the vetoes': `tier1_scorers:
  - id: a
    class: DecayScorer
`,
  'two entries of one id': `tier2_scorers:
  - { id: a, expr: candidate.a }
  - { id: a, expr: candidate.b }
`,
  'a reserved id': `tier2_scorers:
  - { id: score, expr: candidate.a }
  - { id: now, expr: candidate.b }
`,
  'an id that objects have anyway is one like another': `tier2_scorers:
  - { id: constructor, expr: candidate.a }
`,
  'before with an unknown name, or a circular one': `tier2_scorers:
  - { id: novelty, expr: "1.0", before: fresh }
  - { id: fresh, expr: "1.0", before: novelty }
  - { id: other, expr: "1.0", before: noveltyy }
`,
  'names that are taken': `phases: { early: {} }
phase_profiles: { early: { a: 2 } }
signals: [{ id: phase, class: Nope }]
measures: [{ id: tools, expr: "1.0" }]
tier2_scorers: [{ id: tools, expr: "1.0" }]
adjustments: [{ id: phase, add: 1 }]
`,
  'both a class and an expression': entry('class: DecayScorer, expr: candidate.a'),
  'neither a class nor an expression': 'tier2_scorers: [{ id: a }]\n',
  'a phase in capitals': 'phases: { Early: { n_turns: 4 } }\n',
  'invalid ids':
    'tier2_scorers: [{ id: "", expr: "1.0" }, { id: Two, expr: "1.0" }, { id: 3rd, expr: "1.0" }, { id: a-b, expr: "1.0" }]\n',
  'the id __proto__': 'tier2_scorers: [{ id: __proto__, expr: "1.0" }]\n',
  'the class __proto__': entry('class: __proto__'),
  'the class constructor': entry('class: constructor'),
  '__proto__ as a key of an entry': entry('expr: "1.0", __proto__: { weight: 9 }'),
  '__proto__ as a param': entry('class: DecayScorer, params: { __proto__: 3, curve: { type: window, max_age: 1d } }'),
  '__proto__ as a case': `${entry('expr: candidate.a')}weights: { by: candidate.k, cases: { __proto__: { nobody: 2 } } }\n`,
  'constructor as a case, for an unknown scorer': `${entry('expr: candidate.a')}weights: { by: candidate.k, cases: { constructor: { toString: 2 } } }\n`,
  '__proto__ in a table': 'adjustments: [{ id: r, multiply: { table: { __proto__: { a: 2 } }, by: [candidate.k] } }]\n',
  '__proto__ as a phase': 'phases: { __proto__: { n_turns: 1 }, late: {} }\n',
  '__proto__ in the context': 'context: { __proto__: { type: nonsense } }\n',
  '__proto__ in the data of a strategy': 'strategies: [{ id: deepen, data: { __proto__: { a: 1 } } }]\n',
  'the pack of a class that is not there': entry('class: nowhere/CountScorer'),
  'a class of this pack in another case': entry('class: decayscorer'),
  'a rule that reads a scorer by the wrong name': `${entry('expr: candidate.a')}adjustments: [{ id: r, when: scores.b > 1, add: 1 }]\n`,
  'the same id in two tiers is fine, twice in one is not': checked(
    'extends: [./q.yaml]\ntier2_scorers: [{ id: b, expr: "1.0" }, { id: b, expr: "2.0" }]\n',
    { 'q.yaml': 'tier2_scorers: [{ id: a, expr: "1.0" }, { id: a, expr: "2.0" }]\n' },
  ),
  'a memory for an entry without one': entry('expr: candidate.a, memory: ./seen.bin'),
  'one memory file for two': `tier2_scorers:
  - { id: a, class: NoveltyScorer, params: { text: a, embedder: lexical }, memory: seen.bin }
  - { id: b, class: NoveltyScorer, params: { text: b, embedder: lexical }, memory: ./seen.bin }
`,
});
