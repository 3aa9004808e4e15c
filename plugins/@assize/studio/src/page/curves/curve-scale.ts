import type { CurvePoints } from '../../data/studio-data.js';
import type { Bins } from '../parts/bins.js';
import { roundedIn } from '../parts/rounded-in.js';

/** From the least to the most that is drawn. */
interface Extent {
  readonly least: number;
  readonly most: number;
}

/** Where a pointer is on the screen. */
type Pointer = Pick<MouseEvent, 'clientX' | 'clientY'>;

/** Where numbers of a curve are drawn, in percent of a box. */
export interface CurveScale {
  readonly x: Extent;
  readonly y: Extent;
  /** Where an x is drawn. */
  readonly left: (x: number) => string;
  readonly top: (y: number) => string;
  readonly width: (span: number) => string;
  /** What is drawn where the pointer is, in a box. */
  readonly at: (pointer: Pointer, box: DOMRect) => readonly [x: number, y: number];
  /** The curve for a box of 100 by 100: level before the first point and after the last. */
  readonly line: (points: CurvePoints) => string;
}

/** A scale with room for the numbers that a curve is read at, and for its points as written and as moved. */
export function curveScale(written: CurvePoints, points: CurvePoints, bins: Bins | undefined): CurveScale {
  const all = [...written, ...points];
  const x = extentOf([...all.map(([at]) => at), ...(bins ? [bins.least, bins.most] : [])]);
  const y = extentOf([0, 1, ...all.map(([, at]) => at)]);
  const across = (at: number): number => (100 * (at - x.least)) / (x.most - x.least);
  const down = (at: number): number => 100 - (100 * (at - y.least)) / (y.most - y.least);
  return {
    x,
    y,
    left: (at) => `${across(at)}%`,
    top: (at) => `${down(at)}%`,
    width: (span) => `${(100 * span) / (x.most - x.least)}%`,
    at: ({ clientX, clientY }, box) => [
      numberAt(x, (clientX - box.left) / box.width),
      numberAt(y, 1 - (clientY - box.top) / box.height),
    ],
    line: (through) => {
      const [first, last] = [through[0]!, through.at(-1)!];
      const ends = [[x.least, first[1]] as const, ...through, [x.most, last[1]] as const];
      return ends.map(([atX, atY]) => `${across(atX)},${down(atY)}`).join(' ');
    },
  };
}

/** The number at a part of an extent, in as many digits as are worth it. */
function numberAt({ least, most }: Extent, part: number): number {
  return roundedIn(least + Math.max(0, Math.min(1, part)) * (most - least), most - least);
}

function extentOf(values: readonly number[]): Extent {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? { least, most: least + 1 } : { least, most };
}
