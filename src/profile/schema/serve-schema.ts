import * as z from 'zod';

/** How a score becomes the relevance of a document. */
export const RELEVANCE = ['clamp', 'max', 'sigmoid', 'score'] as const;

/** What a profile says to a server. */
export const serveSchema = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .default('text')
      .describe('The field of a candidate that the text of a document becomes, in requests that bring documents.'),
    query: z.string().min(1).default('query').describe('The field of the context that the query becomes.'),
    relevance: z
      .enum(RELEVANCE)
      .default('clamp')
      .describe(
        'How a score becomes the relevance of a document, from 0 to 1: clamp cuts it, max divides it by the best score of the request, sigmoid is 1 / (1 + exp(-score)); score leaves it as it is.',
      ),
    shadow: z
      .string()
      .min(1)
      .optional()
      .describe('A profile beside this one that ranks the same requests unseen: how its selection differs is counted.'),
  })
  .prefault({})
  .describe('How `assize serve` answers with this profile.');
