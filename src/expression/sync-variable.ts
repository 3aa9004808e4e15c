/**
 * A variable that has another value during a synchronous call. Schemas read it, because they do not know which profile
 * they parse.
 */
export class SyncVariable<V> {
  /** @param value the value outside of calls */
  constructor(public value: V) {}

  /** Runs synchronous work with a value. Calls may nest. */
  run<R>(value: V, work: () => R): R {
    const outer = this.value;
    this.value = value;
    try {
      return work();
    } finally {
      this.value = outer;
    }
  }
}
