import type { DescribedProfile } from 'assize/language';
import { type Path, valueAtPath } from './types.js';

/** What a name in a profile refers to: the entries of a list, the phases, or something outside of the profile. */
export type Target = 'tier2_scorers' | 'strategies' | 'phases' | 'same list' | 'presets' | 'plugins' | 'fields';

/**
 * The positions of names that refer to something. The schema of a profile describes them as texts. `*` stands for any key
 * or index; a name at the end is a value, and `*` before `:key` is the key itself.
 */
export const REFERENCES: readonly (readonly [position: string, target: Target])[] = [
  ['extends.*', 'presets'],
  ['plugins.*', 'plugins'],
  ['candidate.id', 'fields'],
  ['serve.text', 'fields'],
  ['fields.*', 'fields'],
  ['weights.cases.*.*:key', 'tier2_scorers'],
  ['rerank.ask.*', 'tier2_scorers'],
  ['phase_profiles.*:key', 'phases'],
  ['phase_profiles.*.*:key', 'strategies'],
  ['fallback.*.use', 'strategies'],
  ['*.*.before', 'same list'],
];

/** What the value at a path refers to, or the key at its end. */
export function targetOf(path: Path, at: 'key' | 'value'): Target | undefined {
  const plain = path[0] === 'scoring' ? path.slice(1) : path;
  return REFERENCES.find(([position]) => {
    const isKey = position.endsWith(':key');
    const steps = position.replace(':key', '').split('.');
    return (
      isKey === (at === 'key') &&
      steps.length === plain.length &&
      steps.every((step, n) => step === '*' || step === plain[n])
    );
  })?.[1];
}

/** A name that a reference may have, and where the profile defines it. */
export interface Referable {
  readonly id: string;
  /** The path in the merged profile. */
  readonly path: Path;
  readonly detail: string;
}

/** The names that a reference may have: of entries, or of phases. */
export function referables({ root }: Pick<DescribedProfile, 'root'>, target: Target, path: Path): readonly Referable[] {
  if (target === 'phases')
    return Object.keys(mapAt(root, ['phases'])).map((id) => ({ id, path: ['phases', id], detail: 'phase' }));
  const list = target === 'same list' ? String(path[0] === 'scoring' ? path[1] : path[0]) : target;
  const entries = valueAtPath(root, [list]);
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, index): readonly Referable[] => {
    const id = valueAtPath(entry, ['id']);
    return typeof id === 'string' ? [{ id, path: [list, index], detail: entryText(entry) }] : [];
  });
}

function mapAt(data: unknown, path: Path): object {
  const value = valueAtPath(data, path);
  return typeof value === 'object' && value !== null ? value : {};
}

/** What an entry computes, in a few words. */
function entryText(entry: unknown): string {
  const [name, expr] = [valueAtPath(entry, ['class']), valueAtPath(entry, ['expr'])];
  return typeof name === 'string' ? name : typeof expr === 'string' ? expr : '';
}
