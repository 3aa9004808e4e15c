import type { Ranking } from '../../index.js';
import type { CurvePoint } from '../curves/curve.js';
import { histogramOf } from '../curves/curve-plot.js';
import type { ReportedCurve } from './report.js';

/** So many candidates of a profile are looked at, spread over the queries: a histogram shows no more. */
const MOST_ROWS = 2000;
const CURVE = 'CurveScorer';

/** A curve, and the numbers that it was read at. */
interface ReadCurve {
  readonly points: readonly CurvePoint[];
  readonly scores: number[];
}

/** Gathers from rankings at which numbers the curves of profiles are read: what the explanation of each candidate says. */
export class CurveReadings {
  /** By profile, by scorer. */
  readonly #curves = new Map<string, Map<string, ReadCurve>>();
  readonly #rowsPerQuery: number;

  /** @param queries how many rankings there will be of each profile */
  constructor(queries: number) {
    this.#rowsPerQuery = Math.ceil(MOST_ROWS / Math.max(1, queries));
  }

  add(profile: string, ranking: Ranking<unknown>): void {
    const { ranked } = ranking;
    const count = Math.min(ranked.length, this.#rowsPerQuery);
    const own = this.#curves.get(profile) ?? new Map<string, ReadCurve>();
    this.#curves.set(profile, own);
    for (let k = 0; k < count; k++) {
      const { index } = ranked[Math.floor((k * ranked.length) / count)]!;
      const curves = ranking.explain({ index }).scorers.filter(({ unit }) => unit === CURVE);
      if (curves.length === 0) return;
      for (const { id, notes } of curves) addReading(own, id, notes.findLast(({ data }) => isCurveNote(data))?.data);
    }
  }

  /** The curves in the order of profiles and scorers. */
  reported(): readonly ReportedCurve[] {
    return [...this.#curves].flatMap(([profile, own]) =>
      Array.from(own, ([scorer, { points, scores }]) => ({
        profile,
        scorer,
        points,
        histogram: histogramOf(points, scores),
      })),
    );
  }
}

/** What the note of a curve says; one of a candidate that it abstains on says nothing of it. */
interface CurveNote {
  readonly x: number;
  readonly curve: { readonly points: readonly CurvePoint[] };
}

const isCurveNote = (data: unknown): data is CurveNote =>
  typeof data === 'object' && data !== null && 'x' in data && 'curve' in data;

function addReading(curves: Map<string, ReadCurve>, id: string, note: unknown): void {
  if (!isCurveNote(note)) return;
  const { x, curve } = note;
  const read = curves.get(id) ?? { points: curve.points, scores: [] };
  read.scores.push(x);
  curves.set(id, read);
}
