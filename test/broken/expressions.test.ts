import { testOutput } from './broken-cases.js';

const entry = (rest: string): string => `tier2_scorers:\n  - { id: a, ${rest} }\n`;

testOutput('expressions', {
  'syntax in a block of lines': `tier1_scorers:
  - id: a
    expr: >-
      candidate.a > 1 &&
      candidate.b >> 2
`,
  'types that do not fit': `tier2_scorers:
  - { id: a, expr: "1 + true" }
`,
  'a condition in place of a number': `tier2_scorers:
  - { id: b, expr: "candidate.a > 1" }
`,
  'a number in place of a condition': `tier1_scorers:
  - { id: a, expr: "1 + 2" }
`,
  'a field without the candidate': `tier2_scorers:
  - { id: a, expr: stars / 10.0 }
`,
  'a variable with a typo': `tier2_scorers:
  - { id: b, expr: candidate.a + meassures.x }
`,
  'a measure with a typo': `measures: [{ id: tools, expr: "1.0" }]
tier2_scorers:
  - { id: a, expr: measures.tool * 2 }
`,
  'a score with a typo': `tier2_scorers:
  - { id: fresh, expr: candidate.a }
adjustments:
  - { id: r, when: scores.frehs > 1, add: 1 }
`,
  'matches, which is left out': `tier1_scorers:
  - { id: a, expr: candidate.name.matches("x+") }
`,
  'only a space': entry('expr: " "'),
  'quotes that do not close': entry(`expr: 'candidate.name == "x'`),
  'one = in place of two': 'tier1_scorers: [{ id: a, expr: candidate.a = 3 }]\n',
  'words in place of signs': 'tier1_scorers: [{ id: a, expr: candidate.a and not candidate.b }]\n',
  'an unknown function': entry('expr: squareroot(candidate.a)'),
  'a function with too much': entry("expr: 'abs(candidate.a, 2)'"),
  'a comma without quotes': entry('expr: max(candidate.a, 2)'),
  JavaScript: entry('expr: candidate.items.map(x => x.n).length'),
  'a constructor': entry(`expr: 'candidate.constructor.constructor("return process")()'`),
  'a measure before it is there': 'measures: [{ id: a, expr: measures.b }, { id: b, expr: "1.0" }]\n',
  'a score in a scorer': entry('expr: scores.a + 1'),
  'the score of the candidate in a scorer': entry('expr: score * 2'),
  'a measure in a veto':
    'measures: [{ id: tools, expr: "1.0" }]\ntier1_scorers: [{ id: a, expr: measures.tools > 2 }]\n',
  'a formula with an unknown scorer': `${entry('expr: candidate.a')}combine: { formula: a * popularity }\n`,
  'a field that the context does not declare': `context: { turn: { type: int } }\n${entry('expr: candidate.a, when: context.trun > 1')}`,
  'an invalid time and an invalid duration':
    'tier1_scorers: [{ id: a, expr: now - timestamp("yesterday") > duration("a day") }]\n',
  'brackets that go too deep': entry(`expr: '${'('.repeat(600)}candidate.a${')'.repeat(600)}'`),
});
