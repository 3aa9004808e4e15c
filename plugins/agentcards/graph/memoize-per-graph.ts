/** Memoizes a function of a graph by its other arguments. The results live as long as the graph object. */
export function memoizePerGraph<G extends object, S extends readonly (string | number | boolean)[], R>(
  compute: (graph: G, ...settings: S) => R,
): (graph: G, ...settings: S) => R {
  const memory = new WeakMap<G, Map<string, R>>();
  return (graph, ...settings) => {
    const results = memory.get(graph) ?? new Map<string, R>();
    memory.set(graph, results);
    const key = settings.join(' ');
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(graph, ...settings);
    results.set(key, result);
    return result;
  };
}
