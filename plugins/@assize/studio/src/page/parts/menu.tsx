import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A box that opens below its title, and closes with Escape, a press elsewhere, or one of its buttons. */
export function Menu({ title, children }: MenuProps) {
  const box = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      const element = box.current;
      if (element && target instanceof Node && !element.contains(target)) element.open = false;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !box.current?.open) return;
      // Before the page, which closes the details with this key.
      event.stopPropagation();
      box.current.open = false;
      summary.current?.focus();
    };
    document.addEventListener('pointerdown', onPointerDown);
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      document.removeEventListener('pointerdown', onPointerDown);
      document.removeEventListener('keydown', onKeyDown, { capture: true });
    };
  }, []);
  const onClick = ({ target }: MouseEvent) => {
    const element = box.current;
    if (!element || !(target instanceof Element) || !target.closest('button')) return;
    // A dialog that the button opens returns the focus there: the button itself is hidden by then.
    if (element.contains(document.activeElement)) summary.current?.focus();
    element.open = false;
  };
  return (
    <details ref={box} class="choice">
      <summary ref={summary}>{title}</summary>
      <div class="menu" onClick={onClick}>
        {children}
      </div>
    </details>
  );
}
