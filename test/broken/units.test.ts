import { type BrokenCase, testOutput } from './broken-cases.js';

const SDK =
  "import { defineReport, defineScorer, defineSignal, defineVeto, z } from 'assize/sdk';\nconst params = z.strictObject({});\n";
const CANDIDATES = '{"id":"a","n":1}\n{"id":"b","n":2}\n{"id":"c","n":3}\n';

/** A scorer of a plugin, by the body of its class, and its entry. */
function scorer(
  body: string,
  { entry = '', facts = '', more = '', typed = 'rank -p ./p.yaml c.jsonl' } = {},
): BrokenCase {
  const meta = `static meta = defineScorer({ summary: 'Mine.', params${facts} });`;
  const profile = `plugins: [./mine.mjs]\ntier2_scorers:\n  - { id: n, expr: candidate.n }\n  - { id: mine, class: Mine${entry} }\n${more}`;
  return {
    files: {
      'p.yaml': profile,
      'mine.mjs': `${SDK}export class Mine {\n  ${meta}\n  ${body}\n}\n`,
      'c.jsonl': CANDIDATES,
    },
    typed,
  };
}

/** A unit of another kind, with the part of the profile that uses it. */
const other = (source: string, profile: string): BrokenCase => ({
  files: { 'p.yaml': `plugins: [./mine.mjs]\n${profile}\n`, 'mine.mjs': `${SDK}${source}\n`, 'c.jsonl': CANDIDATES },
  typed: 'rank -p ./p.yaml c.jsonl',
});

/** A veto whose memory is in a file. */
const remembering = (seen: string): BrokenCase => ({
  files: {
    'p.yaml':
      'tier1_scorers: [{ id: seen, class: SimilarityVeto, params: { text: id, embedder: lexical }, memory: seen.bin }]\n',
    'seen.bin': seen,
    'c.jsonl': CANDIDATES,
  },
  typed: 'rank -p ./p.yaml c.jsonl',
});

const RANGE = ', range: [0, 1]';
const CHECK = 'check ./p.yaml --data c.jsonl';

testOutput('units', {
  'a scorer that throws': scorer("compile() { return () => { throw new Error('no network'); }; }"),
  'a scorer that throws on one candidate': scorer('compile() { return (c) => c.n === 2 ? c.x.y : 1; }'),
  'a scorer that throws, with on_error skip': scorer('compile() { return (c) => c.x.y; }', {
    entry: ', on_error: skip',
  }),
  'a scorer that throws, with on_error fail': scorer('compile() { return (c) => c.x.y; }', {
    entry: ', on_error: fail',
  }),
  'a scorer that throws a text': scorer("compile() { return () => { throw 'no'; }; }"),
  'a scorer that throws undefined': scorer('compile() { return () => { throw undefined; }; }'),
  'a scorer that gives a text': scorer('compile() { return (c) => String(c.n); }'),
  'a scorer that gives null': scorer('compile() { return () => null; }'),
  'a scorer that gives true': scorer('compile() { return () => true; }'),
  'a scorer that gives a promise': scorer('compile() { return async () => 1; }'),
  'a scorer that gives NaN': scorer('compile() { return () => Number.NaN; }', { entry: ', on_error: 0.5' }),
  'a scorer that gives an infinity': scorer('compile() { return (c) => 1 / (c.n - 1); }'),
  'a scorer out of its range': scorer('compile() { return (c) => c.n; }', { facts: RANGE, typed: CHECK }),
  'a scorer out of its range, which is clamped': scorer('compile() { return (c) => c.n; }', {
    facts: RANGE,
    entry: ', out_of_range: clamp',
  }),
  'a scorer out of its range, which fails': scorer('compile() { return (c) => c.n; }', {
    facts: RANGE,
    entry: ', out_of_range: fail',
  }),
  'a scorer that gives all the same': scorer('compile() { return () => 0.5; }', { typed: CHECK }),
  'a scorer that is never ready': scorer('prepare() { return new Promise(() => {}); }', { entry: ', timeout: 30ms' }),
  'a scorer that is never ready, and its entry goes on': scorer('prepare() { return new Promise(() => {}); }', {
    entry: ', timeout: 30ms, on_error: 0.5',
  }),
  'a scorer that cannot be prepared': scorer("async prepare() { throw new Error('the hub does not answer'); }"),
  'a scorer whose prepare returns no function': scorer('prepare() { return 1; }'),
  'a scorer whose prepare returns undefined': scorer('prepare() {}'),
  'a scorer that abstains from all': scorer('compile() { return () => undefined; }', { entry: ', on_absent: refuse' }),
  'a range that throws': scorer('compile() { return () => 1; }', {
    facts: ", range: () => { throw new Error('boom'); }",
  }),
  'a weight that throws': scorer('compile() { return () => 1; }', { entry: ", weight: 'context.boost'" }),
  'a veto that gives a number': other(
    "export class Mine { static meta = defineVeto({ summary: 'No.', params }); compile() { return (c) => c.n; } }",
    'tier1_scorers: [{ id: mine, class: Mine }]',
  ),
  'a veto that throws, with on_error pass': other(
    "export class Mine { static meta = defineVeto({ summary: 'No.', params }); compile() { return (c) => c.x.y; } }",
    'tier1_scorers: [{ id: mine, class: Mine, on_error: pass }]',
  ),
  'a signal that throws': other(
    "export class Mine { static meta = defineSignal({ summary: 'Mood.', params }); prepare() { throw new Error('no mood'); } }",
    'signals: [{ id: mood, class: Mine }]',
  ),
  'a signal that throws and must not': other(
    "export class Mine { static meta = defineSignal({ summary: 'Mood.', params }); prepare() { throw new Error('no mood'); } }",
    'signals: [{ id: mood, class: Mine, on_error: fail }]',
  ),
  'a report that returns no value': other(
    "export class Mine { static meta = defineReport({ summary: 'Odd.', params }); prepare() { return 0.5; } }",
    'report: [{ id: odd, class: Mine }]',
  ),
  'a rule with an infinite factor': scorer('compile() { return () => 1; }', {
    more: "adjustments: [{ id: r, multiply: '1 / (candidate.n - 2)' }]\n",
  }),
  'a candidate with an invalid duration': {
    files: { 'p.yaml': "tier2_scorers: [{ id: d, expr: 'duration(candidate.id) / 1000' }]\n", 'c.jsonl': CANDIDATES },
    typed: 'rank -p ./p.yaml c.jsonl',
  },
  'an invalid memory file': remembering('a list of what was seen\n'),
  'a memory file that is torn': remembering('assize-memory 1\n{"unit":"core/SimilarityVeto","version":1,"madeWi'),
  'a memory file that is empty': remembering(''),
});
