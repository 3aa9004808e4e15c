/** Marks the elements of the recipe that show an entry. */
export const entryAnchor = (id: string): string => `entry-${id}`;

/** Scrolls to an entry of the recipe once it is drawn, and focuses its share, or else its first control. */
export function showEntry(id: string): void {
  requestAnimationFrame(() => {
    const entry = document.getElementById(entryAnchor(id));
    entry?.scrollIntoView({ block: 'center' });
    const number = entry?.querySelector<HTMLInputElement>('.share input:enabled');
    number?.select();
    (number ?? entry?.querySelector<HTMLElement>('input:enabled, button:enabled'))?.focus();
  });
}
