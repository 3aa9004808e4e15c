/**
 * Does something once the page has nothing else to do; soon where the browser (Safari) does not say when that is.
 *
 * @returns leaves it, where it is not done yet
 */
export function whenIdle(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(work);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work);
  return () => clearTimeout(timer);
}
