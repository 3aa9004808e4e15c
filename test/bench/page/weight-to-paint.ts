import type { Page } from 'playwright-core';

/**
 * Runs in a page of the studio. Each change moves the first slider, and ends when the list shows it and a frame with it
 * has been painted: what a message that is sent in the frame's callback comes after.
 */
const CHANGES = `(async (changes) => {
  const slider = document.querySelector('input[type=range]');
  const list = document.querySelector('[role=grid]');
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

/** How long it takes from each of some changes of a weight to the painted list, in milliseconds. */
export const weightToPaint = (page: Page, changes: number): Promise<readonly number[]> =>
  page.evaluate<readonly number[]>(`${CHANGES}(${changes})`);
