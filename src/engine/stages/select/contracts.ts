import type { CostedRow, PackUnit, SelectorNote, SelectorNotSelected } from '../../../sdk/index.js';
import { describeValue } from '../../../base/index.js';
import { idOf } from '../../candidates.js';
import { emptyContext } from '../../entries.js';
import { failRun } from '../../failures.js';
import type { RunState } from '../../run-state.js';
import { type Graph, stronglyConnected } from './components.js';
import {
  type CompiledKey,
  type ContractRows,
  type Missing,
  type PackContracts,
  withSelectReasons,
} from './select-plan.js';
import { valueKey } from './top-of-groups.js';

/**
 * Which candidates must be packed together. The nodes are the positions of all candidates of the run, refused ones
 * included, and one more node for each group: its members need it, and it needs them.
 */
export class Contracts implements PackContracts {
  readonly #needs: number[][];
  readonly #unknown = new Map<number, string>();
  readonly #size: number;

  private constructor(size: number) {
    this.#size = size;
    this.#needs = Array.from({ length: size }, () => []);
  }

  /** The contracts of a run; undefined if the profile has none. */
  static of(run: RunState): Contracts | undefined {
    const { pack, current } = run.plan;
    const { keepTogether, requires } = pack?.contracts ?? {};
    if (!keepTogether && !requires) return undefined;
    const { now, context, signals, trace } = run.context;
    // A context of its own: these expressions are evaluated by position, those of the run by row.
    const own = emptyContext(now, context, signals, trace);
    return current.enter(own, () => {
      const contracts = new Contracts(run.candidates.length);
      if (keepTogether) contracts.#addGroups(run, keepTogether);
      if (requires) contracts.#addRequired(run, requires);
      return contracts;
    });
  }

  get bound(): ReadonlySet<number> {
    const bound = new Set<number>();
    for (const [node, needs] of this.#needs.entries()) {
      // A group of one is not a contract.
      if (needs.length === 0 || (node >= this.#size && needs.length === 1)) continue;
      for (const one of node < this.#size ? [node, ...needs] : needs) if (one < this.#size) bound.add(one);
    }
    for (const node of this.#unknown.keys()) bound.add(node);
    return bound;
  }

  split(rows: readonly CostedRow[], nameOf: (position: number) => string): ContractRows {
    const graph = this.#graph();
    const offered = new Map(rows.map((row) => [row.index, row]));
    const missing = this.#missing(graph, offered);
    const warnings = [...this.#unknownWarnings(nameOf)];
    const required = new Set<number>();
    for (const { index, pinned } of rows) {
      if (!pinned) continue;
      const gap = missing.get(index);
      if (gap) warnings.push(`the pinned ${nameOf(index)} is packed without ${missingText(gap, nameOf)}`);
      for (const node of reachable(graph, index, missing)) {
        const row = offered.get(node);
        if (row && !row.pinned) required.add(node);
      }
    }
    const free = rows.filter(({ index, pinned }) => !pinned && !required.has(index) && !missing.has(index));
    return { required, missing, units: unitsOf(graph, free), warnings };
  }

  #addGroups(run: RunState, key: CompiledKey): void {
    const nodes = new Map<unknown, number>();
    for (const [position, candidate] of run.candidates.entries()) {
      const value = evaluate('keep_together', position, () => {
        const group = key(candidate, position);
        return group === undefined || group === null ? undefined : valueKey(group);
      });
      if (value === undefined) continue;
      let node = nodes.get(value);
      if (node === undefined) nodes.set(value, (node = this.#needs.push([]) - 1));
      this.#needs[position]!.push(node);
      this.#needs[node]!.push(position);
    }
  }

  #addRequired(run: RunState, key: CompiledKey): void {
    // An id that several candidates share names all of them.
    const positions = new Map<string, number[]>();
    for (const [position, candidate] of run.candidates.entries()) {
      const id = idOf(run.plan.profile, candidate, position);
      const same = positions.get(id);
      if (same) same.push(position);
      else positions.set(id, [position]);
    }
    for (const [position, candidate] of run.candidates.entries()) {
      const ids = evaluate('requires', position, () => idsIn(key(candidate, position)));
      for (const id of ids) {
        const found = positions.get(id);
        if (found) for (const other of found) this.#needs[position]!.push(other);
        else if (!this.#unknown.has(position)) this.#unknown.set(position, id);
      }
    }
  }

  #graph(): Graph {
    return { size: this.#needs.length, needsOf: (node) => this.#needs[node]! };
  }

  /** The candidates that need one that is not offered, directly or through others, and those that are not offered. */
  #missing({ size, needsOf }: Graph, offered: ReadonlyMap<number, CostedRow>): ReadonlyMap<number, Missing> {
    const neededBy = Array.from({ length: size }, (): number[] => []);
    for (let node = 0; node < size; node++) for (const other of needsOf(node)) neededBy[other]!.push(node);
    const found = new Map<number, Missing>(Array.from(this.#unknown, ([node, needs]) => [node, { needs }]));
    for (let node = 0; node < this.#size; node++) if (!offered.has(node)) found.set(node, { needs: node });
    const queue = [...found.keys()];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      for (const node of neededBy[next]!) {
        if (found.has(node)) continue;
        found.set(node, found.get(next)!);
        queue.push(node);
      }
    }
    return found;
  }

  *#unknownWarnings(nameOf: (position: number) => string): Generator<string, void> {
    const [first] = this.#unknown;
    if (!first) return;
    const [position, id] = first;
    const others = this.#unknown.size - 1;
    const more = others > 0 ? `, and ${others} more need an unknown id` : '';
    yield `${nameOf(position)} needs ${JSON.stringify(id)}, which is not the id of a candidate${more}`;
  }
}

/** What a candidate lacks, as text. */
export const missingText = ({ needs }: Missing, nameOf: (position: number) => string): string =>
  typeof needs === 'number' ? nameOf(needs) : JSON.stringify(needs);

/** Evaluates an expression on a candidate. An error fails the run, because a contract that is unknown cannot be kept. */
function evaluate<V>(key: string, position: number, work: () => V): V {
  try {
    return work();
  } catch (error) {
    return failRun(key, 'pack', error, position);
  }
}

function idsIn(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one) => {
    if (typeof one === 'string' || (typeof one === 'number' && Number.isFinite(one))) return String(one);
    throw new TypeError(`requires is ${describeValue(value)}; expected an id, or a list of ids`);
  });
}

/** What a node needs, directly or through others. What only a missing node needs is not packed, so nothing needs it. */
function reachable({ needsOf }: Graph, from: number, missing: ReadonlyMap<number, Missing>): ReadonlySet<number> {
  const seen = new Set([from]);
  for (const node of seen) for (const other of needsOf(node)) if (!missing.has(other)) seen.add(other);
  return seen;
}

/** The strongly connected rows, each as one unit, in the order of their best rows. */
function unitsOf(graph: Graph, rows: readonly CostedRow[]): readonly PackUnit[] {
  const free = new Map(rows.map((row) => [row.index, row]));
  const componentOf = stronglyConnected(graph);
  const units = new Map<number, { readonly rows: CostedRow[]; readonly at: number }>();
  for (const row of rows) {
    const unit = units.get(componentOf[row.index]!);
    if (unit) unit.rows.push(row);
    else units.set(componentOf[row.index]!, { rows: [row], at: units.size });
  }
  // Group nodes need only their members, which are in the same component, so rows have every other edge.
  return Array.from(units, ([component, { rows: members }]) => {
    const needs = new Set<number>();
    for (const { index } of members) {
      for (const other of graph.needsOf(index)) {
        const target = componentOf[other]!;
        const unit = free.has(other) && target !== component ? units.get(target) : undefined;
        if (unit) needs.add(unit.at);
      }
    }
    return { rows: members, needs: [...needs] };
  });
}

/** The rows to pack, as units that must not be split. */
export interface UnitsToPack {
  /** The rows that pinned rows need. They are packed whole, like pinned rows. */
  readonly required: ReadonlySet<number>;
  readonly units: readonly PackUnit[];
  /** The rows that cannot be packed, because a candidate that belongs to them is missing. */
  readonly left: readonly SelectorNotSelected[];
  readonly notes: readonly SelectorNote[];
  readonly warnings: readonly string[];
}

/** Splits rows into units. Without contracts, each row is a unit of its own. */
export function packUnits(
  contracts: PackContracts | undefined,
  rows: readonly CostedRow[],
  nameOf: (position: number) => string,
): UnitsToPack {
  if (!contracts) {
    const units = rows.filter(({ pinned }) => !pinned).map((row) => ({ rows: [row], needs: [] }));
    return { required: new Set(), units, left: [], notes: [], warnings: [] };
  }
  const { required, missing, units, warnings } = contracts.split(rows, nameOf);
  const left = rows.flatMap(({ index, pinned }): SelectorNotSelected[] => {
    const gap = pinned ? undefined : missing.get(index);
    return gap ? [withSelectReasons({ index, reason: 'incomplete', data: { needs: missingText(gap, nameOf) } })] : [];
  });
  const notes = Array.from(required, (index) => withSelectReasons({ index, reason: 'required' }));
  return { required, units, left, notes, warnings };
}
