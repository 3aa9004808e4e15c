import { useEffect, useState } from 'preact/hooks';

/** Browsers draw no element that is higher than some 33 million pixels: beyond, scrolling is scaled. */
const MOST_HEIGHT = 30_000_000;

type Box = { readonly current: HTMLElement | null };

/** The rows of a long list that can be seen. */
export interface RowWindow {
  readonly first: number;
  /** How many there is room for. */
  readonly count: number;
  /** Of the whole list, in pixels. */
  readonly height: number;
  /** Of the first row, in pixels. */
  readonly top: number;
  readonly onScroll: () => void;
  /** Scrolls so far that a row is seen. */
  readonly show: (row: number) => void;
}

/**
 * Which rows of a list can be seen in a box that scrolls.
 *
 * @param row of one row, in pixels
 */
export function useRowWindow(box: Box, length: number, row: number): RowWindow {
  const [scrolled, setScrolled] = useState(0);
  const [count, setCount] = useState(20);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setCount(Math.ceil(element.clientHeight / row) + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [box, row]);
  const height = Math.min(length * row, MOST_HEIGHT);
  const scale = (length * row) / Math.max(height, 1);
  const first = Math.max(0, Math.min(Math.floor((scrolled * scale) / row), length - count + 1));
  return {
    first,
    count: Math.min(count, length - first),
    height,
    top: (first * row) / scale,
    onScroll: () => setScrolled(box.current!.scrollTop),
    show: (shown) => {
      const element = box.current!;
      const top = (shown * row) / scale;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + 2 * row > element.scrollTop + element.clientHeight) {
        element.scrollTop = top + 2 * row - element.clientHeight;
      }
    },
  };
}
