import type { Bins } from './bins.js';

const [WIDTH, HEIGHT] = [300, 32];

interface BarsProps {
  readonly bins: Bins;
  readonly colour: string;
  /** Whether a bin, by its bounds, is drawn in full. */
  readonly isIn?: (least: number, most: number) => boolean;
}

/** The bars of a histogram, which fill the box that they are in. */
export function Bars({ bins: { counts, least, most }, colour, isIn }: BarsProps) {
  const tallest = Math.max(...counts, 1);
  const width = WIDTH / counts.length;
  const step = (most - least) / counts.length;
  return (
    <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {counts.map((count, k) => {
        // One candidate among a hundred thousand is seen, too.
        const height = count === 0 ? 0 : Math.max(1, (count / tallest) * HEIGHT);
        const shown = isIn?.(least + k * step, least + (k + 1) * step) ?? true;
        return (
          <rect
            key={k}
            x={k * width}
            y={HEIGHT - height}
            width={width - 1}
            height={height}
            fill={colour}
            class={shown ? '' : 'out'}
          />
        );
      })}
    </svg>
  );
}
