import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useUniqueId } from '../parts/use-unique-id.js';
import { GLOSSARY, type TermName } from './glossary.js';

interface TermProps {
  readonly of: TermName;
  /** Shown instead of the label. */
  readonly children?: ComponentChildren;
}

/** A word that explains itself: its technical name as a tooltip, its entry of the glossary in a box that it opens. */
export function Term({ of, children }: TermProps) {
  const { label, technical, text } = GLOSSARY[of];
  const id = useUniqueId();
  const box = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const place = () => {
    const at = button.current?.getBoundingClientRect();
    const style = box.current?.style;
    if (!at || !style) return;
    style.left = `${Math.max(8, Math.min(at.left, innerWidth - 300))}px`;
    if (at.bottom > innerHeight - 170) style.bottom = `${innerHeight - at.top + 6}px`;
    else style.top = `${at.bottom + 6}px`;
  };
  return (
    <>
      <button ref={button} type="button" class="term-of" popovertarget={id} title={technical} onClick={place}>
        {children ?? label}
      </button>
      <span ref={box} id={id} popover="auto" class="glossary">
        <b>{label}</b>
        <span>{text}</span>
        <small>{technical}</small>
      </span>
    </>
  );
}
