import { CLOCK, type Clock, systemClock } from '../clock.js';
import type { LanguageModel, LanguageModelSettings, LanguageModels } from './language-model.js';
import { OpenAiModel } from './openai-model.js';

/**
 * Language models by OpenAI's protocol of chat completions, which most endpoints speak: OpenAI's own, Ollama,
 * llama.cpp, vLLM. The package `openai` is loaded by the first question.
 */
export class OpenAiModels implements LanguageModels {
  static readonly inject = [CLOCK];
  readonly #models = new Map<string, LanguageModel>();

  constructor(
    private readonly clock: Clock = systemClock,
    private readonly library: () => Promise<unknown> = () => import('openai'),
  ) {}

  open(settings: LanguageModelSettings): LanguageModel {
    const { name, baseUrl, apiKeyEnv, timeout, totalTokens, options } = settings;
    const key = JSON.stringify([name, baseUrl, apiKeyEnv, timeout, totalTokens, options]);
    const model = this.#models.get(key) ?? new OpenAiModel(settings, this.clock, this.library);
    this.#models.set(key, model);
    return model;
  }
}
