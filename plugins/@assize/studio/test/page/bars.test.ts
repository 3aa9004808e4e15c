import { describe, expect, test } from 'vitest';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio } from './in-studio.js';

const candidates = Array.from({ length: 5 }, (_, k) => ({ id: `c${k}`, stars: k + 1, debt: k }));
/** Sixty parts, most of them narrower than the gap between two of them, and the last one wide. */
const MANY = `tier2_scorers:
${Array.from({ length: 60 }, (_, k) => `  - { id: s${k}, expr: candidate.stars, weight: ${k === 59 ? 1000 : 1} }\n`).join('')}`;
const SIGNED = `combine: weighted_sum
tier2_scorers:
  - { id: stars, expr: candidate.stars, weight: 2 }
  - { id: debt, expr: candidate.debt, weight: -1 }
`;

interface Part {
  readonly title: string;
  readonly width: number;
  readonly isFilled: boolean;
}

describe.skipIf(CHROMIUM === undefined || !isBuilt)('bars of the parts of a score [chromium]', () => {
  const open = inStudio();
  const folder = newFolder();

  /** The parts of the first bar, from left to right. */
  const partsOf = (page: Awaited<ReturnType<typeof open>>['page']): Promise<readonly Part[]> =>
    page
      .locator('.bar')
      .first()
      .evaluate((bar) => {
        const { children, ownerDocument } = bar as unknown as BarElement;
        return Array.from(children, (part) => ({
          title: part.getAttribute('title'),
          width: part.getBoundingClientRect().width,
          isFilled: !['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)'].includes(
            ownerDocument.defaultView.getComputedStyle(part).backgroundColor,
          ),
        }));
      });

  test('each part is as wide as its contribution, however narrow', async () => {
    const { page } = await open(
      { profile: folder.write('many.yaml', MANY), candidates, context: {} },
      { viewport: { width: 1920, height: 900 } },
    );
    const parts = await partsOf(page);
    expect(parts).toHaveLength(60);
    const narrow = parts.slice(0, 59).reduce((sum, { width }) => sum + width, 0);
    expect(narrow / parts[59]!.width).toBeCloseTo(59 / 1000, 2); // pixels have 64 parts
  });

  test("negative parts are outlined, also with the user's colours", async () => {
    const profile = folder.write('signed.yaml', SIGNED);
    const { page } = await open({ profile, candidates, context: {} }, { forcedColors: 'active' });
    expect(await partsOf(page)).toMatchObject([
      { title: 'stars 10', isFilled: true },
      { title: 'debt -4', isFilled: false },
    ]);
  });
});

/** Types of the page, which tests do not have. */
interface BarElement {
  readonly children: ArrayLike<{
    getAttribute(name: string): string;
    getBoundingClientRect(): { readonly width: number };
  }>;
  readonly ownerDocument: {
    readonly defaultView: { getComputedStyle(element: unknown): { readonly backgroundColor: string } };
  };
}
