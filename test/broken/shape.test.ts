import { testOutput } from './broken-cases.js';

const entry = (rest: string): string => `tier2_scorers:\n  - { id: a, ${rest} }\n`;

testOutput('shape', {
  'a list at the root': `- tier2_scorers
`,
  'a text at the root': `hello
`,
  'an empty file is a profile without effect': ``,
  'a key with a typo': `tier2_scorer:
  - { id: a, expr: candidate.a }
`,
  'keys that people write for others': `scorers: [{ id: a, expr: candidate.a }]
vetoes: [{ id: b, expr: candidate.b }]
`,
  'brackets between braces, without quotes': `tier2_scorers: [{ id: a, expr: candidate["a"] }]
`,
  'a field with a space in its name': `candidate: { id: Airport Name }
tier2_scorers: [{ id: a, expr: candidate.a }]
`,
  'a key of an entry with a typo': `tier2_scorers:
  - { id: a, expr: candidate.a, wieght: 3 }
`,
  'a map in place of a list': `tier2_scorers: { id: a }
`,
  'a text in place of an entry': `tier2_scorers: [popularity]
`,
  'a missing id': `tier2_scorers:
  - { expr: candidate.a }
`,
  'a text in place of true or false': `tier2_scorers:
  - { id: a, expr: candidate.a, enabled: "no" }
`,
  'a rule of the other tier': `tier1_scorers:
  - { id: a, expr: candidate.a, on_absent: skip }
`,
  'invalid numbers': `select: { top: 2.5, min_score: high, ties: input }
`,
  'a rule without an effect': `adjustments:
  - { id: r, when: candidate.a }
`,
  'a table with a text in it': `adjustments:
  - { id: r, multiply: { table: { a: { b: x } }, by: [candidate.a] } }
`,
  'an unknown type in the context': `context:
  turn: { type: integer }
`,
  'a fallback without a target': `fallback:
  - when: vetoed > 0
`,
  'keys that objects have anyway': `__proto__: { polluted: 1 }
constructor: 2
`,
  'several problems at once, by place': `nmae: x
tier2_scorers:
  - { id: b, class: Nope }
  - { id: c, expr: "1 +" }
tier1_scorers:
  - { id: v, expr: candidate.x, on_absent: maybe }
select: { top: -1 }
`,
  'keys of an entry at the root': 'tier2_scorers:\n- id: a\nexpr: candidate.a\nweight: 2\n',
  'a number at the root': '42\n',
  'null in place of lists': 'tier1_scorers:\ntier2_scorers: ~\nselect: null\n',
  'a list in place of a map': 'select: [top, 3]\n',
  'lists in lists': 'tier2_scorers: [[{ id: a, expr: candidate.a }]]\n',
  'a key that is a number': '1: x\n',
  'a number in place of an id': 'tier2_scorers: [{ id: 7, expr: candidate.a }]\n',
  'an expression that is a number': 'tier2_scorers: [{ id: a, expr: 5 }]\n',
  'an expression that is true': 'tier1_scorers: [{ id: a, expr: true }]\n',
  'a weight that is not a number': 'tier2_scorers: [{ id: a, expr: candidate.a, weight: .nan }]\n',
  'a weight without end': 'tier2_scorers: [{ id: a, expr: candidate.a, weight: .inf }]\n',
  'a number too large to be one': 'select: { top: 1e400, min_score: -1e999 }\n',
  'an empty text in place of an expression': 'tier2_scorers: [{ id: a, expr: "" }]\n',
  'params that are a list': 'tier2_scorers: [{ id: a, class: DecayScorer, params: [field, at] }]\n',
  'an unknown way to combine': 'combine: weighted_average\n',
  'a formula in a text': 'combine: a * b\ntier2_scorers: [{ id: a, expr: candidate.a }]\n',
  'a table with a missing value': 'adjustments: [{ id: r, multiply: { table: { a: }, by: [candidate.k] } }]\n',
  'a strategy that is a text': 'strategies: [deepen]\n',
  'a phase that is a number': 'phases: { early: 4 }\n',
  'a negative count of turns': 'phases: { early: { n_turns: -1 }, late: {} }\n',
  'a yes that is a text in YAML 1.2': 'veto_on_first: no\n',
  'retries without end': 'signals: [{ id: s, class: Some, retries: 1000 }]\n',
  'a timeout that is not a duration': entry('expr: candidate.a, timeout: 5 minutes'),
  'a timeout of 0': entry('expr: candidate.a, timeout: 0s'),
  'a time-out below 0': entry('expr: candidate.a, timeout: -5s'),
  'a rule of the first tier': entry('expr: candidate.a, on_error: pass'),
});
