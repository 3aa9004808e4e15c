import { type BrokenCase, checked, testOutput } from './broken-cases.js';

const SDK = "import { defineScorer, defineVeto, z } from 'assize/sdk';\n";
const META = "static meta = defineScorer({ summary: 'One.', params: z.strictObject({}) });";

/** A plugin in a file, and a profile that uses its class Mine. */
const plugin = (source: string, name = 'mine.mjs'): BrokenCase =>
  checked(`plugins: [./${name}]\ntier2_scorers: [{ id: a, class: Mine }]\n`, { [name]: source });

testOutput('plugins', {
  'a file that is not a module': plugin('once upon a time\n', 'mine.txt'),
  'a picture': checked('plugins: [./mine.js]\n', {
    'mine.js': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a]),
  }),
  'a profile in place of a plugin': plugin('tier2_scorers: []\n', 'mine.yaml'),
  'JSON in place of a plugin': plugin('{ "Mine": 1 }\n', 'mine.json'),
  'a folder': checked('plugins: [./mine]\n', { 'mine/readme.txt': '' }),
  'an empty file': plugin(''),
  'a mistake in its JavaScript': plugin('export const a = 1;\n\n   export const b = = 2;\n'),
  'a mistake in its TypeScript': plugin('interface A { b: string }\nexport const a: A = { b: };\n', 'mine.ts'),
  'a bracket that does not close': plugin('export class Mine {\n  compile() {\n    return () => 1;\n', 'mine.ts'),
  'it throws when it is imported': plugin(`${SDK}const list = null;\n  export const first = list.items[0];\n`),
  'it throws in a function that it calls': plugin(
    'interface A { b: string }\nconst f = (a: A) => a.b.length;\n\n  export const n = f({} as A);\n',
    'mine.ts',
  ),
  'it throws a text': plugin("throw 'no licence';\n"),
  'it throws an error of several lines': plugin("throw new Error('no licence\\nbuy one\\nnow');\n"),
  'it imports a missing file': plugin("import { x } from './nowhere.js';\nexport const y = x;\n"),
  'it imports a package that is not installed': plugin("import { x } from 'no-such-package';\nexport const y = x;\n"),
  'it imports an unknown name': plugin(
    "import { defineScorre } from 'assize/sdk';\nexport const y = defineScorre();\n",
  ),
  'it exports nothing': plugin('const a = 1;\n'),
  'it exports only other values': plugin('export const a = 1;\nexport function help() {}\n'),
  'invalid units': plugin(`${SDK}
export class NoMeta { compile() { return () => 1; } }
export class NoKind { static meta = { summary: 'One.' }; compile() { return () => 1; } }
export class NoParams { static meta = { kind: 'scorer', summary: 'One.' }; compile() { return () => 1; } }
export class NoMethod { ${META} }
export class Both { ${META} compile() { return () => 1; } prepare() { return () => 1; } }
`),
  'invalid services': plugin(`export const services = [{ token: 'clock', value: 1 }, 7];\n`),
  'services that are not a list': plugin('export const services = {};\n'),
  'a class by another name': plugin(`${SDK}export class Mien { ${META} compile() { return () => 1; } }\n`),
  'a veto in place of a scorer': plugin(
    `${SDK}export class Mine { static meta = defineVeto({ summary: 'No.', params: z.strictObject({}) }); compile() { return () => false; } }\n`,
  ),
  'a constructor that throws': plugin(
    `${SDK}export class Mine { ${META} constructor() { throw new Error('no database'); } compile() { return () => 1; } }\n`,
  ),
  'an unbound service': plugin(
    `${SDK}export class Mine { ${META} static inject = [Symbol('database')]; compile() { return () => 1; } }\n`,
  ),
  'compile that throws': plugin(`${SDK}export class Mine { ${META} compile() { throw new Error('no model'); } }\n`),
  'compile that does not return a function': plugin(`${SDK}export class Mine { ${META} compile() { return 1; } }\n`),
  'invalid codes': plugin(
    "export const codes = { acme1: 'One.', ACME001: '', ACME002: 2, ASZ501: 'A run.', ACME003: 'Fine.' };\n",
  ),
  'codes that are not a map': plugin("export const codes = ['ACME001'];\n"),
  'two plugins with one code': checked('plugins: [./a.mjs, ./b.mjs]\ntier2_scorers: [{ id: a, class: Mine }]\n', {
    'a.mjs': `${SDK}export const codes = { ACME001: 'A price is missing.' };
export class Mine { ${META} compile() { return () => 1; } }\n`,
    'b.mjs': `${SDK}export const codes = { ACME001: 'A colour is missing.' };
export class Other { ${META} compile() { return () => 1; } }\n`,
  }),
  'params that it rejects with its own code': plugin(`import { AssizeError } from 'assize/sdk';
${SDK}export const codes = { ACME001: 'No price is known.' };
export class Mine {
  ${META}
  check() { throw new AssizeError([{ code: 'ACME001', message: 'no price is known' }]); }
  compile() { return () => 1; }
}
`),
  'two plugins with one class': checked('plugins: [./a.mjs, ./b.mjs]\ntier2_scorers: [{ id: a, class: Mine }]\n', {
    'a.mjs': `${SDK}export class Mine { ${META} compile() { return () => 1; } }\n`,
    'b.mjs': `${SDK}export class Mine { ${META} compile() { return () => 2; } }\n`,
  }),
  'a plugin that is a number': 'plugins: [1, "", ./]\n',
  'a plugin that only its base has': checked('extends: [./q.yaml]\ntier2_scorers: [{ id: b, class: Mine }]\n', {
    'q.yaml': 'plugins: [./a.mjs]\n',
    'a.mjs': `${SDK}export class Mine { ${META} compile() { return () => 1; } }\n`,
  }),
});
