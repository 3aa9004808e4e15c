import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ConditionGroup, groupIn, groupText, groupWords, isGroup } from '../../src/page/add/condition-groups.js';
import { type Condition, conditionText, countsParts, firstValues, OPERATORS } from '../../src/page/add/conditions.js';
import { countMatches } from '../../src/page/add/count-matches.js';
import { fieldFacts } from '../../src/page/add/field-facts.js';

const candidates = Array.from({ length: 40 }, (_, k) => ({
  id: `c${k}`,
  price: k % 7 === 0 ? undefined : k * 3,
  'No. of votes': k - 20,
  brand: ['Lund', 'Casa & Co', 'a || b', `it's (new) "now"`][k % 4],
  tags: ['x', 'y', 'z'].slice(k % 4),
  at: `20${10 + (k % 15)}-03-01`,
  ok: k % 5 === 0 ? undefined : k % 2 === 0,
}));
const fields = fieldFacts(candidates);

const condition: fc.Arbitrary<Condition> = fc
  .record({ f: fc.nat(), o: fc.nat(), several: fc.boolean() })
  .map(({ f, o, several }) => {
    const field = fields[f % fields.length]!;
    const operator = OPERATORS[field.type][o % OPERATORS[field.type].length]!;
    const all = field.frequent.slice(0, 2).map(({ value }) => value);
    const first = firstValues(field, operator);
    const values = several && first.length > 0 && all.length > 1 && !countsParts(operator) ? all : first;
    return { field, operator, values };
  });
const join = fc.constantFrom('all' as const, 'any' as const);
const inner = fc.record({ join, parts: fc.array(condition, { minLength: 2, maxLength: 3 }) });
const group: fc.Arbitrary<ConditionGroup> = fc.record({
  join,
  parts: fc.array(fc.oneof(condition, inner), { minLength: 1, maxLength: 3 }),
});

const matches = (expr: string): Promise<number> => countMatches(candidates, {}, expr);

describe('groups of conditions', () => {
  test('are read from their expression, which stays the same', () => {
    fc.assert(
      fc.property(group, (one) => {
        const text = groupText(one)!;
        const again = groupIn(text, fields);
        expect(again, text).toBeDefined();
        expect(groupText(again!)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test('have the same result when all of their text is written again', async () => {
    await fc.assert(
      fc.asyncProperty(group, async (one) => {
        const text = groupText(one)!;
        const rewritten = groupText(unwritten(groupIn(text, fields)!))!;
        expect(await matches(rewritten)).toBe(await matches(text));
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ["candidate.brand=='Lund'&&candidate.price>30.0", 2],
    ['(candidate.price >= 30)   && (candidate.brand == "Lund" || candidate.brand == \'Casa & Co\')', 2],
    ['candidate.price < 9 || candidate.price > 90 && candidate.ok', 2],
    ['!candidate.ok', 1],
    ['has(candidate.price) && candidate.price <= 60', 2],
    ['!has(candidate.price) || candidate.ok == true', 2],
    ['size(candidate.tags) == 0', 1],
    ['candidate.tags.size() >= 1 && candidate.brand.size() > 4', 2],
    ['candidate.brand.startsWith("Cas") || candidate.brand.endsWith(\'nd\')', 2],
    ['!candidate.brand.lower().contains("casa") && candidate.brand != ""', 2],
    ['candidate.brand.contains("C") || candidate.brand.lower() == "lund"', 2],
    ["((candidate.brand == 'it\\'s (new) \"now\"'))", 1],
  ])('an expression of a person is read: %s', async (text, parts) => {
    const found = groupIn(text, fields)!;
    expect(found.parts).toHaveLength(parts);
    expect(groupText(found)).toBe(text);
    expect(await matches(groupText(unwritten(found))!)).toBe(await matches(text));
    expect(groupWords(found)).not.toContain('candidate');
  });

  test.each([
    ['size(candidate.tags) == 0', 'tags is empty'],
    ['size(candidate.tags) > 2', 'tags has more than 2 items'],
    ['size(candidate.brand) < 5', 'brand is shorter than 5 letters'],
    ['candidate.brand.startsWith("Lu")', 'brand starts with “Lu”'],
    ['!candidate.brand.lower().contains("casa")', 'brand does not contain “casa”'],
  ])('functions are words: %s', (text, words) => expect(groupWords(groupIn(text, fields)!)).toBe(words));

  test('a change of one condition keeps the text of the others', () => {
    const { join: how, parts } = groupIn("candidate.brand=='Lund' && candidate.price > 30", fields)!;
    const [first, second] = parts as readonly [Condition, Condition];
    const { field, operator } = second;
    expect(groupText({ join: how, parts: [first, { field, operator, values: ['40'] }] })).toBe(
      "candidate.brand=='Lund' && candidate.price > 40",
    );
  });

  test.each([
    'candidate.price * 2 > 5',
    '!(candidate.ok && candidate.price > 5)',
    'candidate.ok || (candidate.price > 5 && (candidate.price < 9 || (candidate.ok && candidate.price < 7)))',
    'context.x == 1',
    'candidate.price > context.most',
  ])('an expression of another form is not read: %s', (text) => expect(groupIn(text, fields)).toBeUndefined());
});

/** A group without the texts of its file. */
function unwritten({ join: how, parts }: ConditionGroup): ConditionGroup {
  const bare = parts.map((part) => {
    if (isGroup(part)) return unwritten(part);
    const { field, operator, values } = part;
    expect(conditionText({ field, operator, values })).toBeDefined();
    return { field, operator, values };
  });
  return { join: how, parts: bare };
}
