import { createHash } from 'node:crypto';

/** The version of a text: a short digest, equal for equal texts. */
export const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
