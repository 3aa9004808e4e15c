import { useMemo } from 'preact/hooks';
import type { StudioModel } from './studio-model.js';
import { formatNumber } from './format.js';

const BINS = 30;
const [WIDTH, HEIGHT] = [200, 26];

/** How the scores of one scorer are spread over the candidates. */
export function Histogram({ model, id, colour }: { model: StudioModel; id: string; colour: string }) {
  const { matrix } = model.ranking;
  const values = matrix.entries.includes(id) ? matrix.column(id).resolved : undefined;
  const spread = useMemo(() => values && binsOf(values), [values]);
  if (!spread) return null;
  const { counts, least, most } = spread;
  const tallest = Math.max(...counts, 1);
  const name = `Scores of ${id}, from ${formatNumber(least)} to ${formatNumber(most)}`;
  return (
    <svg class="histogram" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={name}>
      <title>{name}</title>
      {counts.map((count, k) => {
        const height = (count / tallest) * HEIGHT;
        const width = WIDTH / BINS;
        return <rect key={k} x={k * width} y={HEIGHT - height} width={width - 0.5} height={height} fill={colour} />;
      })}
    </svg>
  );
}

interface Bins {
  readonly counts: readonly number[];
  readonly least: number;
  readonly most: number;
}

/** Counts of the values in bins of equal width; undefined where there is none. Linear. */
function binsOf(values: Float64Array): Bins | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least > most) return undefined;
  const counts = Array.from({ length: BINS }, () => 0);
  const width = (most - least) / BINS || 1;
  for (const value of values) {
    if (!Number.isNaN(value)) counts[Math.min(BINS - 1, Math.floor((value - least) / width))]! += 1;
  }
  return { counts, least, most };
}
