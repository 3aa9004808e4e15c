import * as z from 'zod';

/** What a profile says to a server. */
export const serveSchema = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .default('text')
      .describe('The field of a candidate that the text of a document becomes, in requests that bring documents.'),
    query: z.string().min(1).default('query').describe('The field of the context that the query becomes.'),
    shadow: z
      .string()
      .min(1)
      .optional()
      .describe('A profile beside this one that ranks the same requests unseen: how its selection differs is counted.'),
  })
  .prefault({})
  .describe('How `assize serve` answers with this profile.');
