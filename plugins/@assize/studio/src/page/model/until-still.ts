/**
 * Makes something of what may change while it is made: again, until nothing does.
 *
 * @param changes how often it has changed
 */
export async function untilStill<T>(changes: () => number, make: () => Promise<T>): Promise<T> {
  for (;;) {
    const before = changes();
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    const made = await make();
    if (changes() === before) return made;
  }
}
