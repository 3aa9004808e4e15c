import type { ComponentChildren } from 'preact';

/** The place of the buttons that add criteria, removals and boosts; nothing if a page cannot add any. */
export function AddSlot({ children }: { readonly children?: ComponentChildren }) {
  return children ? <div class="add-slot">{children}</div> : null;
}
