import { type BrokenCase, testOutput } from './broken-cases.js';

const PROFILE = `context:
  turn: { type: int, required: true }
  ratio: { type: number }
  user: { type: string }
  live: { type: bool }
  tags: { type: list }
  graph: { type: map }
  since: { type: time }
tier2_scorers: [{ id: stars, expr: candidate.stars }]
`;

/** A context in a file, for a profile that declares its keys. */
const given = (context: string, name = 'c.yaml', more = ''): BrokenCase => ({
  files: { 'p.yaml': PROFILE, [name]: context, 'one.json': '[{"id":"a","stars":1}]' },
  typed: `rank -p ./p.yaml one.json --context ${name}${more}`,
});

testOutput('contexts', {
  'every type wrong': given('turn: 1.5\nratio: high\nuser: 7\nlive: "no"\ntags: red\ngraph: [1]\nsince: soon\n'),
  'one that is missing': given('ratio: 1\n'),
  'one that is null': given('turn: null\n'),
  'a missing context': { ...given(''), typed: 'rank -p ./p.yaml one.json' },
  'an empty file': given(''),
  'a list': given('- turn: 1\n'),
  'a text': given('turn\n'),
  'JSON that is broken': given('{ "turn": 1, }', 'c.json'),
  'YAML that is broken': given('turn: [1\n'),
  'a key given twice': given('turn: 1\nturn: 2\n'),
  'a now that is not a time': given('turn: 1\nnow: noon\n'),
  'a now that is a list': given('turn: 1\nnow: [2026]\n'),
  'numbers that are not finite': given('turn: .nan\nratio: .inf\n'),
  'a file that is not there': { ...given(''), typed: 'rank -p ./p.yaml one.json --context nowhere.yaml' },
  'an option now that is not a time': {
    ...given('turn: 1\n'),
    typed: 'rank -p ./p.yaml one.json --context c.yaml --now noon',
  },
  'a key that a plugin rejects with its own code': {
    files: {
      'p.yaml': 'plugins: [./acme.mjs]\ntier2_scorers: [{ id: price, class: PriceScorer }]\n',
      'acme.mjs': `import { AssizeError, defineScorer, z } from 'assize/sdk';
export const codes = { ACME001: 'A price list is malformed.' };
export class PriceScorer {
  static meta = defineScorer({ summary: 'Favours the dear.', params: z.strictObject({}) });
  prepare(_, { context: { prices } }) {
    if (typeof prices.apple === 'number') return () => prices.apple;
    throw new AssizeError([{ code: 'ACME001', message: 'prices.apple is no number', path: 'prices.apple' }]);
  }
}
`,
      'c.yaml': 'prices:\n  apple: dear\n',
      'one.json': '[{"id":"a"}]',
    },
    typed: 'rank -p ./p.yaml one.json --context c.yaml',
  },
  'an undeclared key': given('turn: 1\ntrun: 2\n'),
});
