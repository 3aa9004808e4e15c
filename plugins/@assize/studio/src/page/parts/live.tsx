import { useEffect, useRef, useState } from 'preact/hooks';

/** Screen readers receive at most one text in this time, in milliseconds. */
const PAUSE_MS = 1000;

/** A text for screen readers: while something is dragged, the last one of each second. */
export function Live({ text }: { readonly text: string }) {
  const [spoken, speak] = useState(text);
  const last = useRef(0);
  useEffect(() => {
    last.current = performance.now();
  }, [spoken]);
  useEffect(() => {
    if (text === spoken) return undefined;
    const timer = setTimeout(() => speak(text), Math.max(0, last.current + PAUSE_MS - performance.now()));
    return () => clearTimeout(timer);
  }, [text, spoken]);
  return (
    <p class="visually-hidden" aria-live="polite">
      {spoken === '' ? null : spoken}
    </p>
  );
}
