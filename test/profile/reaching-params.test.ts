import { expect, test } from 'vitest';
import * as z from 'zod';
import { loadPlugins } from '../../src/pipeline/create-pipeline.js';
import { type Reach, reachOf } from '../../src/expression/params.js';
import { profileSchema } from '../../src/profile/schema/profile-schema.js';

type Schema = z.core.$ZodType;

interface Part {
  readonly path: string;
  readonly schema: Schema;
  /** The marked access of a param or its parents. */
  readonly reach: Reach | undefined;
  readonly described: string;
}

const describedAs = (schema: Schema): string => z.globalRegistry.get(schema)?.description ?? '';

/** The leaves of a schema, each with the marks and texts on its path. */
function* partsOf(part: Part): Generator<Part> {
  const { path, schema } = part;
  const here = {
    ...part,
    reach: reachOf(schema) ?? part.reach,
    described: `${part.described} ${describedAs(schema)}`,
  };
  const below = (inner: Schema, key = ''): Generator<Part> => partsOf({ ...here, schema: inner, path: path + key });
  if (here.reach !== undefined && reachOf(schema) !== undefined) yield here;
  if (schema instanceof z.ZodPipe) yield* below(schema.in);
  else if (schema instanceof z.ZodObject) {
    for (const [key, value] of Object.entries(schema.shape))
      yield* partsOf({ path: `${path}.${key}`, schema: value, reach: here.reach, described: '' });
  } else if (schema instanceof z.ZodArray) yield* below(schema.element, '[]');
  else if (schema instanceof z.ZodRecord) yield* below(schema.valueType, '{}');
  else if (schema instanceof z.ZodUnion) for (const option of schema.options) yield* below(option);
  else if (schema instanceof z.ZodLazy) return;
  else if ('unwrap' in schema && typeof schema.unwrap === 'function') yield* below(schema.unwrap() as Schema);
  else yield here;
}

/** Words in a name or description that suggest access outside. */
const SUSPICIOUS =
  /\b(?:files?|folders?|director(?:y|ies)|ur[il]s?|hosts?|endpoints?|servers?|environment|variables?|hub|downloads?|env|dir|address(?:es)?|models?)\b/i;
/** Strings whose schema defines them, without access outside. */
const INSIDE = new Set([
  'path',
  'path or paths',
  'path in an item',
  'path in the context',
  'duration',
  'expression',
  'entry',
]);

/** Whether a part may reach outside, by its name, its description, or because it accepts any value. */
function looksReaching({ path, schema, described }: Part): boolean {
  const title = z.globalRegistry.get(schema)?.title;
  if (title !== undefined && INSIDE.has(title)) return false;
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return true;
  if (!(schema instanceof z.ZodString) && !(schema instanceof z.ZodURL)) return false;
  return schema instanceof z.ZodURL || SUSPICIOUS.test(`${path.replaceAll(/[._{}[\]]/g, ' ')} ${described}`);
}

/** Parts that look as if they reached outside, and do not; each with the reason. */
const HARMLESS: readonly (readonly [RegExp, string])[] = [
  [/: Accepted and ignored\.$/, 'no unit reads it'],
  [/^profile\.extends\[\]/, 'the loader takes presets alone'],
  [/^profile\.plugins\[\]/, 'the host loads those that ship alone'],
  [/^profile\.serve\.shadow:/, 'names a profile of the server, which has loaded it already'],
  [/^profile\..*\.class:/, 'is looked up among the units of the plugins'],
  [/^profile\..*\.params\{\}:/, 'is checked by the schema of the class'],
  [/^RerankerScorer\.model:/, 'goes to the url, which is marked, or to a reranker that the host gives'],
  [/^OnnxScorer\.(?:names\[\]|output):/, 'names a part of the model, whose file is marked'],
];

async function everyPart(): Promise<readonly Part[]> {
  const units = (await loadPlugins(undefined)).flatMap((plugin) => [...plugin.units]);
  const roots: [string, Schema][] = [
    ['profile', profileSchema],
    ...units.map(([name, { meta }]) => [name, meta.params] as [string, Schema]),
  ];
  return roots.flatMap(([path, schema]) => [...partsOf({ path, schema, reach: undefined, described: '' })]);
}

test('everything that looks as if it reached outside is marked', async () => {
  const unmarked = (await everyPart()).filter((part) => part.reach === undefined && looksReaching(part));
  const named = unmarked.map(({ path, described }) => `${path}: ${described.trim()}`);
  expect(named.filter((one) => !HARMLESS.some(([harmless]) => harmless.test(one)))).toEqual([]);
});

test('the marked params', async () => {
  const marked = (await everyPart()).filter(({ schema }) => reachOf(schema) !== undefined);
  expect([...new Set(marked.map(({ path, reach }) => `${path} ${reach}`))].toSorted()).toMatchInlineSnapshot(`
    [
      "ConversationReading.model model",
      "ConversationReading.model.api_key_env environment",
      "ConversationReading.model.base_url url",
      "ConversationReading.model.options options",
      "CrossEncoderScorer.model model",
      "CrossEncoderScorer.model.folder file",
      "CrossEncoderScorer.model.options options",
      "LinearScorer.file file",
      "MmrSelector.embedder model",
      "MmrSelector.embedder.folder file",
      "MmrSelector.embedder.options options",
      "ModelScorer.file file",
      "NoveltyScorer.embedder model",
      "NoveltyScorer.embedder.folder file",
      "NoveltyScorer.embedder.options options",
      "OnnxScorer.file file",
      "PairwiseRubricScorer.cache_folder file",
      "PairwiseRubricScorer.model model",
      "PairwiseRubricScorer.model.api_key_env environment",
      "PairwiseRubricScorer.model.base_url url",
      "PairwiseRubricScorer.model.options options",
      "RecentRedundancyScorer.embedder model",
      "RecentRedundancyScorer.embedder.folder file",
      "RecentRedundancyScorer.embedder.options options",
      "RerankerScorer.cache_folder file",
      "RerankerScorer.key_env environment",
      "RerankerScorer.options options",
      "RerankerScorer.url url",
      "RubricScorer.cache_folder file",
      "RubricScorer.model model",
      "RubricScorer.model.api_key_env environment",
      "RubricScorer.model.base_url url",
      "RubricScorer.model.options options",
      "RubricVeto.cache_folder file",
      "RubricVeto.model model",
      "RubricVeto.model.api_key_env environment",
      "RubricVeto.model.base_url url",
      "RubricVeto.model.options options",
      "SemanticSimilarityScorer.embedder model",
      "SemanticSimilarityScorer.embedder.folder file",
      "SemanticSimilarityScorer.embedder.options options",
      "SimilarityVeto.embedder model",
      "SimilarityVeto.embedder.folder file",
      "SimilarityVeto.embedder.options options",
      "profile.measures[].memory file",
      "profile.tier1_scorers[].memory file",
      "profile.tier2_scorers[].memory file",
    ]
  `);
});

test('the check finds a missing mark', () => {
  const forgotten = z.strictObject({
    file: z.string(),
    base_url: z.string(),
    key_env: z.string(),
    options: z.record(z.string(), z.unknown()),
    text: z.string(),
  });
  const found = [...partsOf({ path: 'X', schema: forgotten, reach: undefined, described: '' })].filter(looksReaching);
  expect(found.map(({ path }) => path)).toEqual(['X.file', 'X.base_url', 'X.key_env', 'X.options{}']);
});
