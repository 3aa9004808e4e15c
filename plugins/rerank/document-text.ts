import { type PathReader, typeMismatch } from '../../src/sdk.js';

/** The texts of the paths, a line each, those of a list beside each other; undefined where all are absent or blank. */
export function documentText(readers: readonly PathReader[], candidate: unknown): string | undefined {
  const lines = readers.flatMap((read) => {
    const value = read(candidate);
    const parts = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).flatMap((part) =>
      part === undefined || part === null ? [] : [partText(read, part)],
    );
    return parts.length === 0 ? [] : [parts.join(', ')];
  });
  const text = lines.join('\n');
  return text.trim() === '' ? undefined : text;
}

function partText(read: PathReader, part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part === 'number' || typeof part === 'boolean') return String(part);
  throw typeMismatch(read.source, 'a string', part);
}
