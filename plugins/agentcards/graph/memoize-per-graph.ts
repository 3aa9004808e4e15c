/** Makes a function remember what it gave for a graph, as long as the graph lives: once for each set of settings. */
export function memoizePerGraph<G extends object, S extends readonly (string | number | boolean)[], R>(
  make: (graph: G, ...settings: S) => R,
): (graph: G, ...settings: S) => R {
  const made = new WeakMap<G, Map<string, R>>();
  return (graph, ...settings) => {
    const results = made.get(graph) ?? new Map<string, R>();
    made.set(graph, results);
    const key = settings.join(' ');
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = make(graph, ...settings);
    results.set(key, result);
    return result;
  };
}
