import { Document, type DocumentInterface } from '@langchain/core/documents';
import { BaseRetriever } from '@langchain/core/retrievers';
import { BaseDocumentCompressor } from '@langchain/core/retrievers/document_compressors';
import { RunnableLambda } from '@langchain/core/runnables';
import { expect, test } from 'vitest';
import type { Ranking } from 'assize';
import { documentCompressor } from '../../src/adapters/langchain.js';
import { help } from './help.js';

/** The abstract class of LangChain, without a cast. */
const compressor: BaseDocumentCompressor = documentCompressor(await help());

class Shelf extends BaseRetriever {
  readonly lc_namespace = ['test'];
  constructor(private readonly documents: Document[]) {
    super();
  }
  override _getRelevantDocuments(): Promise<DocumentInterface[]> {
    return Promise.resolve(this.documents);
  }
}

const documents = [
  new Document({ pageContent: 'opening hours', metadata: { source: 'a' } }),
  new Document({ pageContent: 'an old password', metadata: { retired: true } }),
  new Document({ pageContent: 'a password', metadata: { source: 'b', boost: 0.5, body: 'not this' }, id: 'p' }),
];

test('ranks what a retriever finds: keeps class, content, metadata and id, and adds the score', async () => {
  const found = new Shelf(documents).pipe(
    RunnableLambda.from((given: DocumentInterface[]) => compressor.compressDocuments(given, 'password')),
  );
  const compressed = await found.invoke('password');
  expect(compressed).toEqual([
    new Document({
      pageContent: 'a password',
      metadata: { source: 'b', boost: 0.5, body: 'not this', relevanceScore: 1.5 },
      id: 'p',
    }),
    new Document({ pageContent: 'opening hours', metadata: { source: 'a', relevanceScore: 0.25 } }),
  ]);
  expect(compressed[0]).toBeInstanceOf(Document);
  expect(documents[2]!.metadata).toEqual({ source: 'b', boost: 0.5, body: 'not this' });
});

test('LangChain accepts it as a compressor', () => {
  expect(BaseDocumentCompressor.isBaseDocumentCompressor(compressor)).toBe(true);
});

test('finds documents by id in the ranking, which explains why the others are missing', async () => {
  let ranking: Ranking<unknown> | undefined;
  const options = {
    rank: { top: 1 },
    context: { boost: 2 },
    onRanking: (one: Ranking<unknown>) => void (ranking = one),
  };
  const compressed = await documentCompressor(await help(), options).compressDocuments(documents, 'password');
  expect(compressed.map(({ metadata }) => metadata['relevanceScore'])).toEqual([2]);
  expect(ranking!.refused.map(({ index, by }) => [index, by])).toEqual([[1, 'retired']]);
  expect(ranking!.notSelected.map(({ index, reason }) => [index, reason])).toEqual([[0, 'top']]);
  expect(ranking!.explain('p').outcome).toMatchObject({ score: 2 });
});

test('ranks no documents, and rejects an invalid profile', async () => {
  expect(await compressor.compressDocuments([], 'password')).toEqual([]);
  expect(() => documentCompressor(undefined as never)).toThrow(
    /documentCompressor was given nothing|expected a pipeline/,
  );
});
