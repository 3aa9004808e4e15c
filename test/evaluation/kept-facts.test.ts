import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { callCases, conversationsThere, METHODS, questionCases, recallOf } from './kept-facts.js';

const page = readFileSync(new URL('../bench/QUALITY.md', import.meta.url), 'utf8').split(
  '## Messages of a conversation',
)[1]!;
const told = (method: string): string | undefined =>
  new RegExp(`^\\| ${method} \\| ([\\d.]+) \\|`, 'm').exec(page)?.[1];

describe('the evaluation of kept facts', () => {
  test.each(METHODS.filter(({ needsModel }) => !needsModel))(
    '$name keeps as many paragraphs as the page on messages says',
    async (method) => {
      const { recall } = await recallOf(method, await questionCases(), undefined);
      expect(recall.toFixed(3)).toBe(told(method.name));
    },
  );

  test('takes as facts what the next call uses, and hides it from the methods', async () => {
    const cases = callCases(await conversationsThere());
    expect(cases.length).toBeGreaterThan(5);
    for (const { facts, items, query } of cases) {
      const pinned = items.filter((item) => item.pinned).map(({ content }) => content);
      expect(facts.filter((fact) => pinned.some((text) => text.includes(fact)))).toEqual([]);
      expect(items.at(-1)!['index']).toBe(items.length - 1);
      expect(query).not.toBe('');
    }
  });

  test('the preset conversation never loses a message that it selected', async () => {
    const cases = callCases(await conversationsThere());
    const conversation = METHODS.find(({ name }) => name === 'conversation')!;
    const { dropped, recall } = await recallOf(conversation, cases, undefined);
    expect(dropped).toBe(0);
    expect(recall).toBeGreaterThan(0);
  });
});
