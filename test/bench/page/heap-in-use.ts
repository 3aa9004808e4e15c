import type { Page } from 'playwright-core';

/** The heap of a page after garbage is collected, in bytes. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return usedSize;
  } finally {
    await session.detach();
  }
}

/** Moves weights, searches, opens and closes an item and a dialog, and goes back and forth. */
async function useOnce(page: Page, round: number): Promise<void> {
  const sliders = page.locator('input[type=range]');
  for (let k = 0; k < 8; k++) {
    // oxlint-disable-next-line no-await-in-loop -- one person
    await sliders.nth(k % (await sliders.count())).fill(String(0.25 + ((round * 37 + k * 11) % 60) / 40));
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`c${round % 1000}`);
  await page.keyboard.press('Escape');
  await page
    .locator('.card')
    .nth(round % 6)
    .click();
  await page.getByRole('button', { name: 'Close the details' }).click();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Add a criterion');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Cancel' }).click();
  for (const name of ['Undo', 'Undo', 'Redo']) {
    // oxlint-disable-next-line no-await-in-loop -- one person
    await page.getByRole('button', { name, exact: true }).click();
  }
}

/** The heap of a page of the studio after a fifth of a time of use, and after all of it, in bytes. */
export async function heapInUse(page: Page, milliseconds: number): Promise<readonly [early: number, late: number]> {
  const start = performance.now();
  let early: number | undefined;
  for (let round = 0; early === undefined || performance.now() - start < milliseconds; round++) {
    // oxlint-disable-next-line no-await-in-loop -- one person
    await useOnce(page, round);
    // oxlint-disable-next-line no-await-in-loop -- one person
    if (performance.now() - start >= milliseconds / 5) early ??= await heapOf(page);
  }
  return [early, await heapOf(page)];
}
