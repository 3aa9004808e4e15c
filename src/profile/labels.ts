/** The names for people of the entries that have one (`label`), by id. */
export type Labels = Readonly<Record<string, string>>;

/** The name of an entry for people: its label, else its id. */
export const labelOf = (labels: Labels | undefined, id: string): string =>
  labels !== undefined && Object.hasOwn(labels, id) ? labels[id]! : id;
