import { didYouMean, toAssizeError } from 'assize';
import { profileFormat } from 'assize/internal';

/** A part of the profile format: a key, a class, or a preset as an example. */
type SchemaPart = Awaited<ReturnType<typeof profileFormat>>[number];

/** @throws AssizeError (ASZ591) if no part has this name */
export function findPart(parts: readonly SchemaPart[], name: string): SchemaPart {
  const found = parts.find((part) => part.name === name);
  if (found) return found;
  const hint = didYouMean(
    name,
    parts.map((part) => part.name),
    'call schema without a part to list them',
  );
  throw toAssizeError([{ code: 'ASZ591', message: `there is no key, class or preset ${JSON.stringify(name)}`, hint }]);
}

/** The parts as text, one per line. */
export function partsText(parts: readonly SchemaPart[]): string {
  const titles = { key: 'Keys of a profile', class: 'Classes', preset: 'Presets, as examples' };
  return (['key', 'class', 'preset'] as const)
    .map((kind) => {
      const lines = parts.filter((part) => part.kind === kind).map(({ name, summary }) => `- ${name}: ${summary}`);
      return `${titles[kind]}:\n${lines.join('\n')}`;
    })
    .join('\n\n');
}
