/**
 * Does something once the page has nothing else to do; soon if the browser (Safari) does not report when that is.
 *
 * @returns cancels it, if it is not done yet
 */
export function whenIdle(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(work);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work);
  return () => clearTimeout(timer);
}
