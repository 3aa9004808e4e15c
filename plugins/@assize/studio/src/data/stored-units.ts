import * as z from 'zod';
import type { UnitClass, UnitMeta } from 'assize/sdk';
import type { StoredRefusals, StoredScores, StoredSignal, StudioData } from './studio-data.js';

const params = z.strictObject({});

/** The position of a candidate in the input. */
type PositionOf = (candidate: unknown) => number;

/** A scorer with stored numbers. */
function storedScorer({ values, failures, range }: StoredScores, positionOf: PositionOf): UnitClass {
  return class {
    static readonly meta: UnitMeta = { kind: 'scorer', summary: 'Stored scores.', params, ...(range && { range }) };
    compile() {
      return (candidate: unknown): number | undefined => {
        const position = positionOf(candidate);
        const failure = failures[position];
        if (failure !== undefined) throw new Error(failure);
        return values[position] ?? undefined;
      };
    }
  };
}

/** A veto with stored refusals. */
function storedVeto({ reasons }: StoredRefusals, positionOf: PositionOf): UnitClass {
  return class {
    static readonly meta: UnitMeta = {
      kind: 'veto',
      summary: 'Stored refusals.',
      params,
      reasons: { stored: '{reason}' },
    };
    compile() {
      return (candidate: unknown, _index: number, note?: (reason: string, data: { reason: string }) => void) => {
        const refusal = reasons[positionOf(candidate)];
        if (refusal === undefined) return false;
        if (refusal.kind === 'error') throw new Error(refusal.reason);
        note?.('stored', { reason: refusal.reason });
        return refusal.kind === 'absent' ? undefined : true;
      };
    }
  };
}

/** A signal with a stored value. */
function storedSignal({ value }: StoredSignal): UnitClass {
  return class {
    static readonly meta: UnitMeta = { kind: 'signal', summary: 'A stored value.', params };
    prepare(): unknown {
      return value;
    }
  };
}

/** The kinds of entries with stored results. Two entries of different kinds may have the same id. */
export type StoredKind = 'scorer' | 'veto' | 'signal';

/** The name of the class that replaces an entry's class in a page. */
export const storedClass = (kind: StoredKind, id: string): string => `Stored_${kind}_${id}`;

const known = new WeakMap<readonly object[], ReadonlyMap<unknown, number>>();

/** The positions of candidates, made once per list. */
function positionsIn(candidates: readonly object[]): ReadonlyMap<unknown, number> {
  const positions = known.get(candidates) ?? new Map(candidates.map((candidate, position) => [candidate, position]));
  known.set(candidates, positions);
  return positions;
}

/** The classes that the profile of a page names. */
export function storedUnits({
  scores,
  refusals,
  signals,
  candidates,
}: StudioData): Readonly<Record<string, UnitClass>> {
  const positions = positionsIn(candidates);
  const positionOf: PositionOf = (candidate) => positions.get(candidate) ?? -1;
  const named = <V>(
    kind: StoredKind,
    parts: Readonly<Record<string, V>>,
    make: (part: V) => UnitClass,
  ): [string, UnitClass][] => Object.entries(parts).map(([id, part]) => [storedClass(kind, id), make(part)]);
  return Object.fromEntries([
    ...named('scorer', scores, (part) => storedScorer(part, positionOf)),
    ...named('veto', refusals, (part) => storedVeto(part, positionOf)),
    ...named('signal', signals, storedSignal),
  ]);
}
