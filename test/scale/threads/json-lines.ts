import * as fc from 'fast-check';

/** An object of a JSON Lines file. */
const candidate = fc.record(
  {
    id: fc.oneof(fc.constantFrom('a', 'b', 'ä', '日本', '👩‍🔬', 'line sep'), fc.string()),
    stars: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) }, fc.constantFrom('many', undefined)), // few, so that there are ties
    forks: fc.integer({ min: 0, max: 3 }),
    archived: fc.boolean(),
    odd: fc.constantFrom<unknown>([1], { a: 1 }, true, 'x', 2),
    keep: fc.constantFrom(false, false, false, true),
  },
  { requiredKeys: ['stars'] },
);

const good = candidate.map((one) => JSON.stringify(one));
const blank = fc.constantFrom('', ' ', '\t');

const end = fc.constantFrom('\n', '\n', '\r\n');

/** A realistic JSON Lines file: byte order marks, blank lines, both line ends, and no final line end. */
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

/** The same with invalid lines. */
export const brokenLines: fc.Arbitrary<string> = fc
  .tuple(jsonLines, fc.constantFrom('{"id":', '[1]', '{"a":1} {', 'null', '{"id":"a\u0001"}'), fc.nat())
  .map(([text, wrong, at]) => {
    const lines = text.split('\n');
    lines.splice(at % (lines.length + 1), 0, wrong);
    return lines.join('\n');
  });
