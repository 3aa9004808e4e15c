/** A profile as data. */
export type ProfileDocument = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is ProfileDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The profile with entries switched off. */
export function withoutEntries(profile: ProfileDocument, ids: readonly string[]): ProfileDocument {
  const off = (entry: unknown): unknown =>
    isMap(entry) && ids.includes(String(entry['id'])) ? { ...entry, enabled: false } : entry;
  return Object.fromEntries(
    Object.entries(profile).map(([key, list]) => [key, Array.isArray(list) ? list.map(off) : list]),
  );
}
