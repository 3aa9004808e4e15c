import type { Tracer } from '../../contract/index.js';
import { traced } from '../tracer.js';
import type { Embedder, Embeddings } from './embedder.js';

/** An embedder whose work can be followed: what is asked of the model itself, behind what keeps its vectors. */
export class TracedEmbedder implements Embedder {
  constructor(
    private readonly embedder: Embedder,
    private readonly tracer: Tracer,
  ) {}

  get name(): string {
    return this.embedder.name;
  }

  get dimensions(): number | undefined {
    return this.embedder.dimensions;
  }

  get space(): object {
    return this.embedder.space ?? this.embedder;
  }

  get unusable(): Error | undefined {
    return this.embedder.unusable;
  }

  embed(texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings> {
    const { name: model } = this.embedder;
    const message = { kind: 'embeddings', model, texts: texts.length } as const;
    return traced(this.tracer, 'model', message, () => this.embedder.embed(texts, abort));
  }
}
