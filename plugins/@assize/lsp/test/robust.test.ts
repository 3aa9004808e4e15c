import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accept, pageService } from './service.js';

const folder = new URL('../../../../config/presets/', import.meta.url);
const presets = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const);

/** A preset without some parts, and an offset in it. */
const damaged = (text: string) =>
  fc
    .tuple(fc.array(fc.tuple(fc.nat(text.length), fc.integer({ min: 1, max: 12 })), { maxLength: 3 }), fc.nat())
    .map(([cuts, at]) => {
      const rest = cuts.reduce((left, [start, length]) => left.slice(0, start) + left.slice(start + length), text);
      return { text: rest, offset: at % (rest.length + 1) };
    });

describe.each(presets)('in the preset %s', (name, text) => {
  const service = pageService();

  test('completion, hover and definition never fail, at any offset and with any parts deleted', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(damaged(text), async ({ text: rest, offset }) => {
        found += (await service.complete(rest, offset, name)).length;
        const hover = await service.hover(rest, offset, name);
        if (hover) expect(hover.start).toBeLessThanOrEqual(offset);
        await service.definition(rest, offset, name);
      }),
      { numRuns: 15 },
    );
    expect(found).toBeGreaterThan(0);
  });

  test('an accepted key or class is never an unknown key', async () => {
    // Lines after the new one may become a part of it, so only problems about what was accepted count.
    const problemsAbout = async (profile: string, label: string) =>
      (await service.diagnostics(profile, name))
        .map(({ problem }) => problem)
        .filter(({ code, message }) =>
          code === 'ASZ201' ? message === `unknown key ${label}` : /^ASZ30[123]$/.test(code) && message.includes(label),
        );
    const lines = text.split('\n');
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(lines.length - 1), fc.nat(), async (after, choice) => {
        const indent = /^[ -]*/.exec(lines[after] ?? '')?.[0].length ?? 0;
        const start = [...lines.slice(0, after + 1), ''].join('\n') + ' '.repeat(indent);
        const profile = [start, ...lines.slice(after + 1)].join('\n');
        const found = (await service.complete(profile, start.length, name)).filter(
          ({ kind }) => kind === 'key' || kind === 'class',
        );
        const one = found[choice % Math.max(1, found.length)];
        if (!one) return;
        accepted += 1;
        expect(await problemsAbout(accept(profile, one), one.label)).toEqual([]);
      }),
      { numRuns: 10 },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});

describe('hostile texts', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...Array.from('bcdefgh', (letter, n) => `${letter}: &${letter} [${Array(9).fill(`*${'abcdefgh'[n]}`).join(', ')}]`),
  ].join('\n');
  test.each([
    ['a megabyte of text', `name: ${'x'.repeat(1_000_000)}`],
    ['a megabyte of entries', `tier2_scorers:\n${'  - { id: a, expr: candidate.a }\n'.repeat(31_000)}`],
    ['ten thousand lines', `tier2_scorers:\n${'  - id: a\n    expr: candidate.a\n'.repeat(5000)}`],
    ['ten thousand lines of a list in brackets', `extends: [\n${'  a,\n'.repeat(10_000)}`],
    ['an alias bomb', `${bomb}\n`],
    ['a line of spaces', `a${' '.repeat(300_000)}`],
    ['a line of brackets', '[{'.repeat(50_000)],
    ['a line of quotes', `'"`.repeat(100_000)],
    ['a line of colons', 'a:'.repeat(100_000)],
    ['a line of dashes', '- '.repeat(50_000)],
    ['a line of pipes', '| # '.repeat(50_000)],
    ['a long expression', `tier2_scorers: [{ id: a, expr: '${'candidate.a.'.repeat(20_000)}`],
    [
      'keys of prototypes',
      '__proto__: { a: 1 }\nconstructor:\n  prototype: { x: 1 }\nweights: { cases: { __proto__: { ',
    ],
    ['keys of prototypes in an entry', 'tier2_scorers:\n  - __proto__: { id: a }\n    constructor: 1\n    '],
    ['control characters', 'name: \u0000\u0001\ud800\n\ufeff\u2028: {'],
    ['carriage returns', 'tier2_scorers:\r\n  - id: a\r\n    '],
  ])('%s', async (_, text) => {
    const service = pageService();
    expect(Array.isArray(await service.complete(text, text.length, 'p.yaml'))).toBe(true);
    await service.complete(text, text.length >> 1, 'p.yaml');
    await service.hover(text, text.length >> 1, 'p.yaml');
    await service.definition(text, text.length - 1, 'p.yaml');
    expect(Array.isArray(await service.diagnostics(text, 'p.yaml'))).toBe(true);
    expect(Object.hasOwn(Object.prototype, 'a') || Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });
});
