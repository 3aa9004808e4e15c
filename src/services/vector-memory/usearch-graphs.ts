import { createRequire } from 'node:module';
import { type OptionalPackage, requireOptional } from '../optional-package.js';
import type { GraphSettings, NeighbourGraph, NeighbourGraphs } from './vector-index.js';

interface UsearchIndex {
  add(keys: bigint, vectors: Float32Array, threads: number): void;
  search(query: Float32Array, count: number, threads: number): { readonly keys: BigUint64Array };
}

/** The used part of `usearch`. Declared here because the package and its types may be missing. */
interface UsearchLibrary {
  readonly Index: new (config: {
    readonly dimensions: number;
    readonly metric: 'ip';
    readonly quantization: 'bf16';
    readonly connectivity: number;
    readonly expansion_add: number;
    readonly expansion_search: number;
    readonly multi: boolean;
  }) => UsearchIndex;
}

const USEARCH: OptionalPackage<UsearchLibrary> = {
  name: 'usearch',
  neededBy: 'an index',
  part: 'Index',
  isLibrary: (module): module is UsearchLibrary =>
    typeof module === 'object' && module !== null && 'Index' in module && typeof module.Index === 'function',
};

/** Graphs of the package `usearch`. Only profiles with an index load it. */
export class UsearchGraphs implements NeighbourGraphs {
  static readonly inject: readonly symbol[] = [];
  #loaded: UsearchLibrary | undefined;

  /** @param load requires the package; synchronous, so that loading a profile fails if it is missing */
  constructor(private readonly load: () => unknown = () => createRequire(import.meta.url)('usearch') as unknown) {}

  check(): void {
    this.#library();
  }

  open({ dimensions, m, efConstruction, efSearch }: GraphSettings): NeighbourGraph {
    const { Index } = this.#library();
    const index = new Index({
      dimensions,
      metric: 'ip',
      // Half the memory and time of 32-bit floats. Matches are compared again with the 32-bit floats.
      quantization: 'bf16',
      connectivity: m,
      expansion_add: efConstruction,
      expansion_search: efSearch,
      multi: false,
    });
    return {
      // One thread: with more, each build would create a different graph.
      add: (key, vector) => index.add(BigInt(key), vector, 1),
      search: (query) => Array.from(index.search(query, efSearch, 1).keys, Number),
    };
  }

  #library(): UsearchLibrary {
    return (this.#loaded ??= requireOptional(USEARCH, this.load, { missing: 'ASZ523', unusable: 'ASZ524' }));
  }
}
