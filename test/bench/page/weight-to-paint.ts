import type { Page } from 'playwright-core';

/**
 * Runs in a page of the studio. Each change sets an input and ends when a frame with the new list is painted: the message
 * that is sent in the callback of the frame arrives after it.
 */
const CHANGES = `(async (changes, selector, event, valueAt) => {
  const input = document.querySelector(selector);
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
    input.value = String(valueAt(k));
    const start = performance.now();
    input.dispatchEvent(new Event(event, { bubbles: true }));
    do await frame();
    while (list.textContent === before);
    await painted();
    times.push(performance.now() - start);
  }
  return times;
})`;

/** The milliseconds from each change of a weight to the painted list. */
export const weightToPaint = (page: Page, changes: number): Promise<readonly number[]> =>
  page.evaluate<readonly number[]>(
    `${CHANGES}(${changes}, 'input[type=range]', 'input', (k) => 0.2 + ((k * 37) % 100) / 60)`,
  );

/** The same of a param of a class: a half-life, in days. */
export const paramToPaint = (page: Page, changes: number): Promise<readonly number[]> =>
  page.evaluate<readonly number[]>(
    `${CHANGES}(${changes}, 'input[aria-label*="half as new after"]', 'change', (k) => 20 + ((k * 37) % 100))`,
  );
