import { type ServiceToken, serviceToken } from '../../contract/index.js';

/** How a graph is made and searched, in the terms of the HNSW paper (Malkov and Yashunin, 2016). */
export interface GraphSettings {
  /** How many numbers a vector has. */
  readonly dimensions: number;
  /** How many neighbours a vector is linked to. */
  readonly m: number;
  /** How many candidates are compared to find those neighbours. */
  readonly efConstruction: number;
  /** How many candidates a search compares, and gives. */
  readonly efSearch: number;
}

/** Vectors of length 1, linked to near ones: a search walks from one to the next and may miss some. */
export interface NeighbourGraph {
  /** @param key a whole number from 0, unique to the vector */
  add(key: number, vector: Float32Array): void;
  /** The keys of up to `efSearch` vectors: the nearest ones that it finds, in any order. */
  search(query: Float32Array): Iterable<number>;
}

/** Makes the graphs that an approximate index consists of. */
export interface NeighbourGraphs {
  /** Checks that `open` will work. @throws AssizeError that names what to install (ASZ523, ASZ524) */
  check(): void;
  open(settings: GraphSettings): NeighbourGraph;
}

/** The token for units that search by an index: `@inject(NEIGHBOUR_GRAPHS)`. */
export const NEIGHBOUR_GRAPHS: ServiceToken<NeighbourGraphs> = serviceToken<NeighbourGraphs>('neighbour-graphs');
