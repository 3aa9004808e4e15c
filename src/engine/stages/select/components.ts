/** A directed graph of numbered nodes. */
export interface Graph {
  readonly size: number;
  readonly needsOf: (node: number) => readonly number[];
}

/**
 * Tarjan's strongly connected components, by node. Without recursion, because a chain of candidates may be longer than
 * the stack.
 */
export function stronglyConnected({ size, needsOf }: Graph): Int32Array {
  const componentOf = new Int32Array(size).fill(-1);
  const order = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const edge = new Int32Array(size);
  const open: number[] = [];
  let count = 0;
  let components = 0;
  for (let root = 0; root < size; root++) {
    if (order[root] !== -1) continue;
    const path = [root];
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (order[node] === -1) {
        order[node] = low[node] = count++;
        open.push(node);
      }
      const next = needsOf(node)[edge[node]!++];
      if (next !== undefined) {
        if (order[next] === -1) path.push(next);
        else if (componentOf[next] === -1) low[node] = Math.min(low[node]!, order[next]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
      if (low[node] !== order[node]) continue;
      let member: number;
      do {
        member = open.pop()!;
        componentOf[member] = components;
      } while (member !== node);
      components += 1;
    }
  }
  return componentOf;
}
