const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** What a console shows of an object: its fields as they read, and not that one is a getter. */
const shown = {
  value(this: object): object {
    return { ...this };
  },
};

/**
 * Adds a field to objects that is made when it is read. The getter is one for all of them: with a getter of its own each
 * object would have a hidden class of its own, which takes V8 longer to make than all else that a row has.
 *
 * @returns what adds it to one object, given what makes it there
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
