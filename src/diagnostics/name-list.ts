/** How many names a hint lists. */
const MAX_LISTED = 20;

/** Names in a hint: the first ones, and how many more there are. `otherwise` where there are none. */
export function nameList(names: readonly string[], otherwise = 'none'): string {
  if (names.length === 0) return otherwise;
  const more = names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : '';
  return `${names.slice(0, MAX_LISTED).join(', ')}${more}`;
}
