import * as fc from 'fast-check';

/** An object of a file of JSON Lines. */
const candidate = fc.record(
  {
    id: fc.oneof(fc.constantFrom('a', 'b', 'ä', '日本', '👩‍🔬', 'line sep'), fc.string()),
    stars: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant('many')),
    forks: fc.integer({ min: 0, max: 3 }),
    archived: fc.boolean(),
    keep: fc.constantFrom(false, false, false, true),
  },
  { requiredKeys: [] },
);

const good = candidate.map((one) => JSON.stringify(one));
const blank = fc.constantFrom('', ' ', '\t');

const end = fc.constantFrom('\n', '\n', '\r\n');

/** A file of JSON Lines as people have them: marks, blank lines, either line end, and no end at the end. */
export const jsonLines: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '\ufeff'),
    fc.array(fc.tuple(fc.oneof({ weight: 8, arbitrary: good }, blank), end), { maxLength: 30, size: 'max' }),
    fc.boolean(),
  )
  .map(([mark, lines, ended]) => {
    const text = lines.map(([line, by]) => line + by).join('');
    return mark + (ended ? text : text.replace(/\r?\n$/, ''));
  });

/** The same with lines that cannot be read. */
export const brokenLines: fc.Arbitrary<string> = fc
  .tuple(jsonLines, fc.constantFrom('{"id":', '[1]', '{"a":1} {', 'null', '{"id":"a\u0001"}'), fc.nat())
  .map(([text, wrong, at]) => {
    const lines = text.split('\n');
    lines.splice(at % (lines.length + 1), 0, wrong);
    return lines.join('\n');
  });
