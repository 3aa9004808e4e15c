import { isMap } from '../../expression/index.js';

/** A profile as one file, with all that it extends. */
export type Effective = Readonly<Record<string, unknown>>;

/** A scorer as a profile writes it. */
export function writtenEntry(effective: Effective, id: string): Effective {
  const list: readonly unknown[] = Array.isArray(effective['tier2_scorers']) ? effective['tier2_scorers'] : [];
  const entry = list.find((one) => isMap(one) && one['id'] === id);
  return isMap(entry) ? entry : {};
}
