import type { Page } from 'playwright-core';

/** Runs in a page of the studio whose search is open. Each change ends when a frame with other results is painted. */
const SEARCHES = `(async (changes) => {
  const input = document.querySelector('dialog.search input');
  const results = document.getElementById('search-results');
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const painted = () => new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  });
  const times = [];
  for (let k = 0; k < changes; k++) {
    const before = results.textContent;
    input.value = 'c' + (1 + (k * 37) % 97);
    const start = performance.now();
    input.dispatchEvent(new Event('input', { bubbles: true }));
    do await frame();
    while (results.textContent === before);
    await painted();
    times.push(performance.now() - start);
  }
  return times;
})`;

/** The milliseconds from each change of a search to the painted results. */
export async function searchToPaint(page: Page, changes: number): Promise<readonly number[]> {
  await page.keyboard.press('Control+k');
  await page.locator('dialog.search input').waitFor();
  return page.evaluate<readonly number[]>(`${SEARCHES}(${changes})`);
}
