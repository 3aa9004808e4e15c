import type { Page } from 'playwright-core';

/**
 * Runs in a page of the studio. Each change moves the first slider and ends when a frame with the new list is painted:
 * the message that is sent in the callback of the frame arrives after it.
 */
const CHANGES = `(async (changes) => {
  const slider = document.querySelector('input[type=range]');
  const list = document.querySelector('[role=listbox], [role=grid]');
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const painted = () => new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  });
  const times = [];
  for (let k = 0; k < changes; k++) {
    const before = list.textContent;
    slider.value = String(0.2 + ((k * 37) % 100) / 60);
    const start = performance.now();
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    do await frame();
    while (list.textContent === before);
    await painted();
    times.push(performance.now() - start);
  }
  return times;
})`;

/** The milliseconds from each change of a weight to the painted list. */
export const weightToPaint = (page: Page, changes: number): Promise<readonly number[]> =>
  page.evaluate<readonly number[]>(`${CHANGES}(${changes})`);
