import { type Embedder, type EmbedderProvider, embedderToken, type ServiceBinding } from 'assize/sdk';

const TOKEN = embedderToken('transformers');

/** In place of the language model: an embedder that does not exist. */
export const noEmbedder: ServiceBinding = {
  token: TOKEN,
  value: {
    open: () => ({
      name: 'none',
      dimensions: undefined,
      embed: () => Promise.reject(new Error('the embedder is not installed')),
    }),
  } satisfies EmbedderProvider,
};

/** The model's tokenizer ignores white space, so the look-up does too. */
const key = (text: string): string => text.split(/\s+/).filter(Boolean).join(' ');

/** In place of the language model: its stored vectors for these texts, one after another. */
export function storedEmbeddings(texts: readonly string[], vectors: Float32Array): ServiceBinding {
  const dimensions = vectors.length / texts.length;
  if (!Number.isInteger(dimensions))
    throw new Error(`${vectors.length} numbers are no vectors of ${texts.length} texts`);
  const byText = new Map(
    texts.map((text, row) => [key(text), vectors.subarray(row * dimensions, (row + 1) * dimensions)]),
  );
  const vectorOf = (text: string): Float32Array => {
    const vector = byText.get(key(text));
    if (vector === undefined) throw new Error(`no vector is stored for: ${text.slice(0, 80)}`);
    return vector;
  };
  const embedder: Embedder = { name: 'stored', dimensions, embed: async (asked) => asked.map(vectorOf) };
  return { token: TOKEN, value: { open: () => embedder } satisfies EmbedderProvider };
}
