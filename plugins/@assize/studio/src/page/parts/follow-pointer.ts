/** Follows the pointer from where it was pressed until it is let go. */
export function followPointer(event: PointerEvent, moved: (event: PointerEvent) => void, end = (): void => {}): void {
  const target = event.currentTarget as HTMLElement;
  event.preventDefault();
  event.stopPropagation();
  target.focus();
  target.setPointerCapture(event.pointerId);
  const stop = () => {
    target.removeEventListener('pointermove', moved);
    target.removeEventListener('pointerup', stop);
    target.removeEventListener('pointercancel', stop);
    end();
  };
  target.addEventListener('pointermove', moved);
  target.addEventListener('pointerup', stop);
  target.addEventListener('pointercancel', stop);
}
