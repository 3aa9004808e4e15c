import type { Quality } from '../model/quality.js';
import { formatGain } from '../parts/format.js';

interface QualityProps {
  /** What it is the quality of, where that is not the list. */
  readonly title?: string;
  readonly now: Quality;
  readonly before: Quality;
}

/** A smaller difference is not shown, with three decimals. */
const LEAST = 0.0005;

/** Each measure, and how it differs from the baseline's. */
export function QualityLine({ title, now, before }: QualityProps) {
  if (now.size === 0) return null;
  return (
    <p class="quality">
      {title !== undefined && <span>{title}:</span>}
      {[...now].map(([name, value]) => {
        const gain = value - (before.get(name) ?? value);
        return (
          <span key={name}>
            {name} <b>{value.toFixed(3)}</b>{' '}
            {Math.abs(gain) >= LEAST && <span class={gain > 0 ? 'up' : 'down'}>{formatGain(gain)}</span>}
          </span>
        );
      })}
    </p>
  );
}
