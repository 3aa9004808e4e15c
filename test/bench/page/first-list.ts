import type { Page } from 'playwright-core';

/** The milliseconds from an address to its list on screen, each time in a browser that has nothing of the page yet. */
export async function firstList(page: Page, times: number, address: string): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let k = 0; k < times; k++) {
    // oxlint-disable-next-line no-await-in-loop -- two at once would slow each other
    const context = await page
      .context()
      .browser()!
      .newContext({ viewport: { width: 1400, height: 900 } });
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    const fresh = await context.newPage();
    const start = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    await fresh.goto(address, { waitUntil: 'commit' });
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    await fresh.locator('[role=listbox] [role=option]').first().waitFor();
    taken.push(performance.now() - start);
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    await context.close();
  }
  return taken;
}
