import { type ServiceToken, serviceToken } from '../../contract/service.js';

/** How a graph is made and searched, in the words of the HNSW paper (Malkov and Yashunin, 2016). */
export interface GraphSettings {
  /** How many numbers a vector has. */
  readonly dimensions: number;
  /** How many neighbours a vector is joined to. */
  readonly m: number;
  /** How many candidates are looked at to find those neighbours. */
  readonly efConstruction: number;
  /** How many candidates a search looks at, and gives. */
  readonly efSearch: number;
}

/** Vectors of length 1, joined to those near them: a search walks from one to the next and may miss some. */
export interface NeighbourGraph {
  /** @param key a whole number from 0, another one for each vector */
  add(key: number, vector: Float32Array): void;
  /** The keys of up to `efSearch` vectors: the nearest ones that it finds, in any order. */
  search(query: Float32Array): Iterable<number>;
}

/** Makes the graphs that an approximate index consists of. */
export interface NeighbourGraphs {
  /** Finds out whether `open` will work. @throws AssizeError saying what to install (ASZ523, ASZ524) */
  check(): void;
  open(settings: GraphSettings): NeighbourGraph;
}

/** The token for units that search by an index: `@inject(NEIGHBOUR_GRAPHS)`. */
export const NEIGHBOUR_GRAPHS: ServiceToken<NeighbourGraphs> = serviceToken<NeighbourGraphs>('neighbour-graphs');
