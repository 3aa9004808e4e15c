const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** What a console shows of an object: the values of its fields, and not that one is a getter. */
const shown = {
  value(this: object): object {
    return { ...this };
  },
};

/**
 * Adds a field to objects that is computed when it is read. All of them share one getter: with its own getter each object
 * would have its own hidden class, which takes V8 longer to make than everything else of a row.
 *
 * @returns a function that adds the field to one object, given how to compute it
 */
export function lazyField<K extends string, V>(key: K) {
  const make = Symbol(key);
  const field = {
    enumerable: true,
    get(this: Readonly<Record<typeof make, () => V>>): V {
      return this[make]();
    },
  };
  return <T extends object>(object: T, value: () => V): T & Readonly<Record<K, V>> => {
    Object.defineProperty(object, make, { value });
    Object.defineProperty(object, INSPECT, shown);
    return Object.defineProperty(object, key, field) as T & Readonly<Record<K, V>>;
  };
}
