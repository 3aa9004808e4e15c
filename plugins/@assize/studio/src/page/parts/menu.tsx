import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  readonly title: string;
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
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !box.current?.open) return;
    box.current.open = false;
    summary.current?.focus();
  };
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('button') && box.current) box.current.open = false;
  };
  return (
    <details ref={box} class="choice" onKeyDown={onKeyDown}>
      <summary ref={summary}>{title}</summary>
      <div class="menu" onClick={onClick}>
        {children}
      </div>
    </details>
  );
}
