import { type ServiceToken, serviceToken } from '../../sdk/index.js';
import { type QueryVector, unitVector, type VectorBlock } from './vector-block.js';
import type { BlockSlice } from './vector-log.js';

/** The settings of a graph, with the names of the HNSW paper (Malkov and Yashunin, 2016). */
export interface GraphSettings {
  readonly dimensions: number;
  /** The number of neighbours of a vector. */
  readonly m: number;
  /** The number of candidates that are compared to find those neighbours. */
  readonly efConstruction: number;
  /** The number of candidates that a search compares and returns. */
  readonly efSearch: number;
}

/** A graph of unit vectors linked to near ones. A search walks the links and may miss vectors. */
export interface NeighbourGraph {
  /** @param key a whole number from 0, unique to the vector */
  add(key: number, vector: Float32Array): void;
  /** The keys of up to `efSearch` nearest vectors that it finds, in any order. */
  search(query: Float32Array): Iterable<number>;
}

/** Creates the graphs of an approximate index. */
export interface NeighbourGraphs {
  /** Checks that `open` will work. @throws AssizeError that names what to install (ASZ523, ASZ524) */
  check(): void;
  open(settings: GraphSettings): NeighbourGraph;
}

/** The token for units that search an index: `@inject(NEIGHBOUR_GRAPHS)`. */
export const NEIGHBOUR_GRAPHS: ServiceToken<NeighbourGraphs> = serviceToken<NeighbourGraphs>('neighbour-graphs');

/** The greatest cosine of a query and the included vectors, by comparing all of them; undefined if none is included. */
export function maxCosine(slices: readonly BlockSlice[], query: QueryVector): number | undefined {
  let greatest: number | undefined;
  for (const { block, first, end, includes } of slices)
    greatest = block.maxCosine(query, first, end, includes, greatest);
  return greatest;
}

/** Divides slices into indexed vectors, by segment, and other vectors. */
function splitIndexed(
  slices: readonly BlockSlice[],
): readonly [indexed: ReadonlyMap<IndexSegment, BlockSlice[]>, rest: readonly BlockSlice[]] {
  const indexed = new Map<IndexSegment, BlockSlice[]>();
  const rest = slices.map((whole): BlockSlice => {
    const { block, first, end } = whole;
    const state = indexStateOf(block);
    if (state === undefined || state.count <= first) return whole;
    const between = Math.min(end, state.count);
    const slice = { ...whole, end: between };
    const others = indexed.get(state.segment);
    if (others) others.push(slice);
    else indexed.set(state.segment, [slice]);
    return { ...whole, first: between };
  });
  return [indexed, rest];
}

/** The greatest cosine of the vectors that a search finds; of all vectors if it finds only excluded ones. */
function maxCosineInSegment(
  segment: IndexSegment,
  unit: Float32Array,
  slices: readonly BlockSlice[],
  query: QueryVector,
) {
  const found = segment.search(unit);
  let greatest: number | undefined;
  for (const { block, first, end, includes } of slices) {
    const rows = found.get(block)?.filter((row) => row >= first && row < end) ?? [];
    greatest = block.maxCosineAmong(query, rows, includes, greatest);
  }
  return greatest ?? maxCosine(slices, query);
}

/** `maxCosine` of the indexed vectors that a search finds, and of all vectors that are not indexed. */
export function approximateMaxCosine(slices: readonly BlockSlice[], query: QueryVector): number | undefined {
  const [indexed, rest] = splitIndexed(slices);
  const unit = unitVector(query.floats, query.length);
  const found = [...indexed].map(([segment, parts]) => maxCosineInSegment(segment, unit, parts, query));
  const all = [maxCosine(rest, query), ...found].filter((one) => one !== undefined);
  return all.length === 0 ? undefined : Math.max(...all);
}

/** Whether any vector of a slice is indexed. */
export const isIndexed = ({ block, first }: BlockSlice): boolean => (indexStateOf(block)?.count ?? 0) > first;

/** The number of vectors that a scan compares in the time of indexing one. */
const SCANS_PER_INSERTION = 2048;

interface IndexPlan extends GraphSettings {
  /** The number of blocks of a segment. */
  readonly blocks: number;
}

/**
 * Indexes some more vectors of full blocks, oldest first. Indexes only full blocks, so that a graph does not contain
 * vectors of discarded forks.
 *
 * Usually one vector per added vector is enough. A memory that was read from a file has a backlog: then it indexes as
 * many as take about the time of the scan that the index will save.
 */
export function advanceIndex(blocks: readonly VectorBlock[], graphs: NeighbourGraphs, plan: IndexPlan): void {
  const missing = (block: VectorBlock): number => block.end - (indexStateOf(block)?.count ?? 0);
  const open = blocks.filter((block) => missing(block) > 0);
  const backlog = open.reduce((sum, block) => sum + missing(block), 0);
  let rest = Math.min(backlog, 1 + Math.floor(backlog / SCANS_PER_INSERTION));
  for (const block of open) {
    if (rest === 0) return;
    const { segment } = indexStateOf(block) ?? segmentFor(blocks, block, graphs, plan).addBlock(block);
    for (; rest > 0 && missing(block) > 0; rest--) segment.indexNext(block);
  }
}

/** Returns the segment of the previous block if it has room, otherwise a new one. */
function segmentFor(blocks: readonly VectorBlock[], block: VectorBlock, graphs: NeighbourGraphs, plan: IndexPlan) {
  const previous = blocks[blocks.indexOf(block) - 1];
  const before = previous && indexStateOf(previous)?.segment;
  return before && !before.full ? before : new IndexSegment(graphs.open(plan), block.capacity, plan.blocks);
}

/** The indexed part of a block: the segment has its first `count` vectors, with keys starting at `first`. */
interface BlockIndexState {
  readonly segment: IndexSegment;
  readonly first: number;
  count: number;
}

const states = new WeakMap<VectorBlock, BlockIndexState>();

/** The indexed part of a block; undefined if the block is not in a segment. */
const indexStateOf = (block: VectorBlock): BlockIndexState | undefined => states.get(block);

/**
 * One graph of an index, with the vectors of several blocks. Several memories may share it: each filters the results of
 * a search for its own vectors.
 */
class IndexSegment {
  readonly #blocks: VectorBlock[] = [];

  /**
   * @param blockSize the number of vectors in a block
   * @param maxBlocks the maximum number of blocks
   */
  constructor(
    private readonly graph: NeighbourGraph,
    private readonly blockSize: number,
    private readonly maxBlocks: number,
  ) {}

  get full(): boolean {
    return this.#blocks.length >= this.maxBlocks;
  }

  /** Adds a full block without indexing its vectors yet. */
  addBlock(block: VectorBlock): BlockIndexState {
    const first = this.#blocks.push(block) * this.blockSize - this.blockSize;
    const state = { segment: this, first, count: 0 };
    states.set(block, state);
    return state;
  }

  /** Indexes the next vector of an added block. */
  indexNext(block: VectorBlock): void {
    const state = states.get(block);
    if (state?.segment !== this) throw new Error('the block is not of this segment');
    this.graph.add(state.first + state.count, block.unitVectorAt(state.count));
    state.count += 1;
  }

  /** The rows of the nearest vectors that the graph finds, by block. */
  search(unit: Float32Array): ReadonlyMap<VectorBlock, readonly number[]> {
    const found = new Map<VectorBlock, number[]>();
    for (const key of this.graph.search(unit)) {
      const block = this.#blocks[Math.floor(key / this.blockSize)];
      if (block === undefined) continue;
      const rows = found.get(block);
      if (rows) rows.push(key % this.blockSize);
      else found.set(block, [key % this.blockSize]);
    }
    return found;
  }
}
