import type { Progress } from '../../contract/index.js';
import { abortable } from '../abortable.js';
import { CLOCK, type Clock, systemClock } from '../clock.js';
import { rethrow } from '../optional-package.js';
import { noProgress, PROGRESS } from '../progress.js';
import type { Reranker, RerankRequest } from '../reranker.js';
import { loadModel } from '../transformers/load-model.js';
import { DEFAULT_IDLE_TIMEOUT, ModelPool, type PooledModel } from '../transformers/model-pool.js';
import { type ModelSource, modelSource } from '../transformers/model-source.js';
import { importTransformers, type Tensor } from '../transformers/transformers-library.js';
import type { CrossEncoders, CrossEncoderSettings } from './cross-encoder.js';

/** The logits of one pair of texts, one for each label of the model. */
type ScorePair = (query: string, text: string) => Promise<Tensor | undefined>;

const loadedModels = new Map<string, Promise<ScorePair>>();

/**
 * Cross-encoders in this process, by `@huggingface/transformers`, which is loaded with the first text: any of its models
 * of sequence classification with one label. Options: `remote_host`, `cache_dir`, `revision`.
 */
export class TransformersCrossEncoders implements CrossEncoders {
  static readonly inject = [CLOCK, PROGRESS];
  readonly #models: ModelPool<ScorePair>;

  constructor(
    clock: Clock = systemClock,
    private readonly progress: Progress = noProgress,
    private readonly library: () => Promise<unknown> = () => import('@huggingface/transformers').catch(rethrow),
  ) {
    this.#models = new ModelPool(loadedModels, clock, (source, timeout) => this.#load(source, timeout));
  }

  open({ name, timeout = DEFAULT_IDLE_TIMEOUT, ...settings }: CrossEncoderSettings): Reranker {
    const source = modelSource(`cross-encoder ${name}`, { ...settings, model: name });
    const title = [name, source.revision, source.dtype].filter((part) => part !== undefined).join(':');
    return new TransformersCrossEncoder(title, this.#models.model(source, timeout), this.progress);
  }

  async #load(source: ModelSource, idleTimeoutMs: number): Promise<ScorePair> {
    const lib = await importTransformers('a cross-encoder', this.library);
    const kind = lib.AutoModelForSequenceClassification;
    const { tokenizer, model } = await loadModel(lib, kind, source, idleTimeoutMs, this.progress);
    return async (query, text) => (await model(tokenizer(query, { text_pair: text, truncation: true }))).logits;
  }
}

class TransformersCrossEncoder implements Reranker {
  constructor(
    readonly name: string,
    private readonly model: PooledModel<ScorePair>,
    private readonly progress: Progress,
  ) {}

  async rerank({ query, documents }: RerankRequest, abort: AbortSignal): Promise<readonly number[]> {
    abort.throwIfAborted();
    const scorePair = await abortable(this.model.load(), abort);
    const logits: number[] = [];
    for (const text of documents) {
      abort.throwIfAborted();
      // oxlint-disable-next-line no-await-in-loop -- one at a time: on a CPU a batch is no faster, and a quantised model scales by the whole of it, so that a score would depend on its neighbours.
      logits.push(this.#only(await scorePair(query, text)));
      this.progress({ task: 'scoring', unit: 'texts', done: logits.length, total: documents.length });
    }
    return logits;
  }

  /** The logit of a model with one label. */
  #only(logits: Tensor | undefined): number {
    const logit = logits?.data[0];
    if (logit !== undefined && logits?.data.length === 1) return logit;
    const found = logits ? `${logits.data.length} numbers` : 'no logits';
    throw new Error(
      `${this.name} gives ${found} for a pair of texts; expected one: a cross-encoder that ranks has one label`,
    );
  }
}
