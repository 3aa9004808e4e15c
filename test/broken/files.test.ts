import { checked, testOutput } from './broken-cases.js';

testOutput('files', {
  'a profile that extends itself by a detour': checked(
    `extends: [./q.yaml]
`,
    { 'q.yaml': 'extends: [./p.yaml]\n' },
  ),
  'a name in place of a list of names': `extends: knowledgepulse
tier2_scorers: [{ id: novelty, weight: 1 }]
`,
  'a base that is not there': `extends: [./none.yaml]
`,
  'a preset with a typo': `extends: [knowledgpulse]
`,
  'an unknown phase': `phases: { early: {} }
phase_profiles: { erly: { a: 1 } }
`,
  'factors by phase without phases': `phase_profiles: { early: { a: 1 } }
`,
  'plugins that are not there': `plugins: [./no.js, no-such-package]
`,
  'a profile that extends itself': 'extends: [./p.yaml]\n',
  'a circle of three': checked('extends: [./q.yaml]\n', {
    'q.yaml': 'extends: [./r.yaml]\n',
    'r.yaml': 'extends: [./p.yaml]\n',
  }),
  'a base with its own problem': checked('extends: [./q.yaml]\ntier2_scorers:\n  - { id: b, expr: cand.b }\n', {
    'q.yaml': 'tier2_scorers:\n  - { id: a, expr: "1 +" }\n',
  }),
  'a base that is broken YAML': checked('extends: [./q.yaml]\ntier2_scorers: [{ id: a, expr: cand.a }]\n', {
    'q.yaml': 'select: {\n',
  }),
  'a profile that is not there': { files: { 'profile.yml': '' }, typed: 'check ./profile.yaml' },
  'a profile that is a folder': { files: { 'p.yaml/x': '' }, typed: 'check ./p.yaml' },
  'a file without an ending, that looks like a preset': { files: { mine: '' }, typed: 'check mine' },
  'the name of a profile without its ending': { files: { 'repos.yaml': '' }, typed: 'check repos' },
  'a base without its ending': checked('extends: [team]\n', { 'team.yml': '' }),
  'a folder in the way': { files: { p: '' }, typed: 'check ./p/q.yaml' },
  'a profile that is not UTF-8': checked(Uint8Array.from([0x6e, 0x61, 0x6d, 0x65, 0x3a, 0x20, 0xfc, 0x0a])),
  'a profile that is UTF-16': checked(Buffer.from('\ufeffname: x\n', 'utf16le')),
  'a profile that is a picture': checked(
    Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
  ),
  'a mistake after a byte order mark': '\ufeffnmae: x\n',
  'a mistake among CRLF lines': 'name: x\r\ntier2_scorers:\r\n  - { id: a, expr: cand.a }\r\n',
  'tabs in place of spaces': 'select:\n\ttop: 3\n',
  'a mistake after a tab': 'name: x\t# a tab\nselect: { top:\t[3] }\n',
  'a list that does not close': 'tier2_scorers: [{ id: a, expr: candidate.a }\n',
  'a text that does not close': 'name: "x\n',
  'a colon in a text without quotes': 'description: films: the best\n',
  'a line that is out of line': 'select:\n  top: 3\n min_score: 1\n',
  'a key of an item that is out of line': 'tier2_scorers:\n  - id: a\n   expr: candidate.a\n',
  'a key given twice': 'select: { top: 3 }\nname: x\nselect: { top: 4 }\n',
  'two documents': 'name: a\n---\nname: b\n',
  'a tag': 'name: !!js/function "() => 1"\n',
  'an undefined alias': 'select: *best\n',
  'aliases that become a billion': `a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]\n`,
  'an alias inside its own value': 'strategies: &s [{ id: a, own: *s }]\n',
  'maps that go too deep': `strategies: [{ id: a, own: ${'{ a: '.repeat(200)}1${' }'.repeat(200)} }]\n`,
  'a line of ten megabytes': `name: ${'x'.repeat(10_000_000)}\nnmae: y\n`,
  'a mistake at the end of a line of ten megabytes': `tier2_scorers: [{ id: a, expr: '1.0'${' '.repeat(10_000_000)}, wieght: 3 }]\n`,
  'JSON with a comma too many': { files: { 'p.json': '{\n  "select": { "top": 3, },\n}\n' }, typed: 'check ./p.json' },
  'JSON that was cut off': {
    files: { 'p.json': '{ "tier2_scorers": [{ "id": "a", "expr": "cand' },
    typed: 'check ./p.json',
  },
  'JSON with NaN': { files: { 'p.json': '{ "select": { "min_score": NaN } }\n' }, typed: 'check ./p.json' },
});
