import { createRequire } from 'node:module';
import { type ProblemCode } from '../../diagnostics/codes.js';
import { AssizeError } from '../../diagnostics/problem.js';
import { messageWithCauses, toError } from '../error-message.js';
import type { GraphSettings, NeighbourGraph, NeighbourGraphs } from './neighbour-graph.js';

interface UsearchIndex {
  add(keys: bigint, vectors: Float32Array, threads: number): void;
  search(query: Float32Array, count: number, threads: number): { readonly keys: BigUint64Array };
}

/** The part of `usearch` that is used; written down because the package is optional. */
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

const isLibrary = (module: unknown): module is UsearchLibrary =>
  typeof module === 'object' && module !== null && 'Index' in module && typeof module.Index === 'function';

const usearchError = (code: ProblemCode, message: string, cause?: unknown): AssizeError =>
  new AssizeError([{ code, message }], message, { cause });

/**
 * Graphs of the package `usearch`, which is loaded when first asked for and not before: a profile that asks for no
 * index never loads it.
 */
export class UsearchGraphs implements NeighbourGraphs {
  static readonly inject: readonly symbol[] = [];
  #loaded: UsearchLibrary | undefined;

  /** @param load synchronous, so that a package that is missing is found out when the profile is loaded */
  constructor(private readonly load: () => unknown = () => createRequire(import.meta.url)('usearch') as unknown) {}

  check(): void {
    this.#library();
  }

  open({ dimensions, m, efConstruction, efSearch }: GraphSettings): NeighbourGraph {
    const { Index } = this.#library();
    const index = new Index({
      dimensions,
      metric: 'ip',
      // Half the memory of 32-bit floats and half the time; what is found is compared again by the floats themselves.
      quantization: 'bf16',
      connectivity: m,
      expansion_add: efConstruction,
      expansion_search: efSearch,
      multi: false,
    });
    return {
      // One thread: more of them would make another graph each time.
      add: (key, vector) => index.add(BigInt(key), vector, 1),
      search: (query) => Array.from(index.search(query, efSearch, 1).keys, Number),
    };
  }

  #library(): UsearchLibrary {
    if (this.#loaded) return this.#loaded;
    let module: unknown;
    try {
      module = this.load();
    } catch (thrown) {
      const error = toError(thrown);
      if ('code' in error && error.code === 'MODULE_NOT_FOUND')
        throw usearchError('ASZ523', 'an index needs a package that is not installed: npm install usearch', error);
      throw usearchError('ASZ524', `usearch cannot be loaded: ${messageWithCauses(error)}`, error);
    }
    if (!isLibrary(module)) throw usearchError('ASZ524', 'usearch is there, but of a version that has no Index');
    this.#loaded = module;
    return module;
  }
}
