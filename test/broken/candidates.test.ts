import { type BrokenCase, checked, ranked, testOutput } from './broken-cases.js';

/** A table, in a file that says so. */
const csv = (text: string | Uint8Array): BrokenCase => ranked(text, { name: 'c.csv' });

const lines = (count: number): string[] => Array.from({ length: count }, (_, i) => `{"id":"c${i}","stars":${i}}`);

testOutput('candidates', {
  'no file': {
    ...checked('tier2_scorers: [{ id: stars, expr: candidate.stars }]\n'),
    typed: 'rank -p ./p.yaml c.json',
  },
  'an empty file of JSON': ranked('', { name: 'c.json' }),
  'an empty file of lines': ranked(''),
  'an empty list': ranked('[]', { name: 'c.json' }),
  'a line that was cut off, the five hundredth': ranked([...lines(499), '{"id":"c500","sta', ...lines(20)].join('\n')),
  'a list that was cut off': ranked('[{"id":"a","stars":1},\n{"id":"b","sta', { name: 'c.json' }),
  'a text that was cut off': ranked('{"id":"a","name":"never closed\n{"id":"b"}\n'),
  'many lines that are wrong': ranked(
    [...lines(3), 'x', '{', '[1]', '7', ...Array.from({ length: 30 }, () => 'oops')].join('\n'),
  ),
  'texts in place of objects': ranked('["a", "b"]', { name: 'c.json' }),
  'a number': ranked('42', { name: 'c.json' }),
  'a list a line': ranked('[{"id":"a"}]\n[{"id":"b"}]\n'),
  'lines in a file that says JSON': ranked(lines(3).join('\n'), { name: 'c.json' }),
  NaN: ranked('{"id":"a","stars":NaN}\n'),
  infinities: ranked('{"id":"a","stars":1}\n{"id":"b","stars":-Infinity}\n'),
  'numbers too large to be one': ranked('{"id":"a","stars":1e999}\n{"id":"b","stars":2}\n'),
  'single quotes': ranked("{'id':'a','stars':1}\n"),
  'keys without quotes': ranked('{id:"a",stars:1}\n'),
  'a comma too many': ranked('[{"id":"a","stars":1,},]', { name: 'c.json' }),
  'a comment': ranked('// the best ones\n{"id":"a","stars":1}\n'),
  'a key given twice': ranked('{"id":"a","stars":1,"stars":2}\n'),
  '__proto__ as a key': ranked('{"id":"a","__proto__":{"stars":9}}\n{"id":"b","stars":1}\n'),
  'constructor as an id': ranked('{"id":"constructor","stars":1}\n{"id":"__proto__","stars":2}\n'),
  'a byte order mark, CRLF and blank lines': ranked('\ufeff{"id":"a","stars":1}\r\n\r\n  \r\n{"id":"b","stars":}\r\n'),
  'a file that is not UTF-8': ranked(Buffer.from('{"id":"caf\xe9","stars":1}\n', 'latin1')),
  'a picture': ranked(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])),
  'a line of ten megabytes that does not close': ranked(`{"id":"a","stars":1,"text":"${'x'.repeat(10_000_000)}\n`),
  'lists that go too deep': ranked(`{"id":"a","stars":${'['.repeat(5000)}${']'.repeat(5000)}}\n`),
  'a profile in place of candidates': ranked('tier2_scorers:\n  - { id: a, expr: candidate.a }\n', { name: 'c.yaml' }),
  'a folder in place of a file': { ...ranked('', { name: 'folder/c.json' }), typed: 'rank -p ./p.yaml folder' },
  'ids that several have': ranked('{"id":"a","stars":1}\n{"id":"a","stars":2}\n{"id":"b","stars":2}\n'),
  'a field that no candidate has': ranked('{"id":"a","stras":1}\n{"id":"b","stras":2}\n'),
  'a list of candidates inside an object': ranked('{"shops":[{"id":"a","stars":1},{"id":"b","stars":2}]}\n'),
  'texts in place of numbers': ranked('{"id":"a","stars":"1"}\n{"id":"b","stars":"many"}\n'),
  'an invalid time': ranked('{"id":"a","at":"Jun 12 1998"}\n{"id":"b","at":"2020-13-45"}\n{"id":"c","at":{}}\n', {
    profile:
      'tier2_scorers: [{ id: fresh, class: DecayScorer, params: { field: at, curve: { type: window, max_age: 1d } } }]\n',
  }),
  'a CSV whose rows are too short and too long': csv('id,stars\na,1\nb\nc,3,4\nd,4\n'),
  'a CSV whose quote is never closed': csv('id,stars\na,1\n"b,2\nc,3\n'),
  'a CSV with text after a quote': csv('id,stars\n"a"x,1\nb,2\n'),
  'a CSV with a column twice': csv('id,stars,stars\na,1,2\n'),
  'a CSV with a column without a name': csv('id,,stars\na,1,2\n'),
  'a CSV with __proto__ for a column': csv('id,__proto__.stars,constructor\na,9,1\nb,9,2\n'),
  'a CSV with a column inside another one': csv('id,stars,stars.now\na,1,2\n'),
  'a CSV with semicolons': csv('id;stars\na;1\nb;2\n'),
  'a CSV with tabs': csv('id\tstars\na\t1\n'),
  'an empty CSV': csv(''),
  'a CSV that is only a header': csv('id,stars\n'),
  'a CSV without a header': csv('a,1\nb,2\n'),
  'a CSV with a byte order mark, CRLF and blank lines': csv('\ufeffid,stars\r\na,1\r\n\r\nb\r\n'),
  'a CSV that is not UTF-8': csv(Buffer.from('id,stars\ncaf\xe9,1\n', 'latin1')),
  'a CSV with numbers of another country': csv('id,stars\na,"1,5"\nb,1.000\n'),
  'a CSV of JSON lines': csv('{"id":"a","stars":1}\n{"id":"b","stars":2}\n'),
  'from standard input': { ...ranked('', { name: 'unused' }), typed: 'rank -p ./p.yaml -', stdin: '{"id":"a"' },
});
