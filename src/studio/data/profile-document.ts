/** A profile as data. */
export type ProfileDocument = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is ProfileDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The profile with entries switched off, or on. */
export function switched(profile: ProfileDocument, ids: readonly string[], enabled: boolean): ProfileDocument {
  const set = (entry: unknown): unknown =>
    isMap(entry) && ids.includes(String(entry['id'])) ? { ...entry, enabled } : entry;
  return Object.fromEntries(
    Object.entries(profile).map(([key, list]) => [key, Array.isArray(list) ? list.map(set) : list]),
  );
}

/** A profile that extends another, and has on what that has switched off. */
export function switchingOn(name: string, profile: ProfileDocument, ids: readonly string[]): ProfileDocument {
  const amended = Object.entries(profile).flatMap(([key, list]) => {
    const own = Array.isArray(list) ? list.filter((entry) => isMap(entry) && ids.includes(String(entry['id']))) : [];
    return own.length > 0 ? [[key, own.map(({ id }: ProfileDocument) => ({ id, enabled: true }))]] : [];
  });
  return { extends: [name], ...Object.fromEntries(amended) };
}
