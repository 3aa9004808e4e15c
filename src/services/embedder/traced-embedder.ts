import type { Tracer } from '../../contract/index.js';
import { traced } from '../tracer.js';
import type { Embedder, Embeddings } from './embedder.js';
import { EmbedderAround } from './embedder-around.js';

/** An embedder whose work can be followed: what is asked of the model itself, behind what keeps its vectors. */
export class TracedEmbedder extends EmbedderAround {
  constructor(
    embedder: Embedder,
    private readonly tracer: Tracer,
  ) {
    super(embedder);
  }

  override embed(texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings> {
    const { name: model } = this.embedder;
    const message = { kind: 'embeddings', model, texts: texts.length } as const;
    return traced(this.tracer, 'model', message, () => this.embedder.embed(texts, abort));
  }
}
