import { formatNumber } from './format.js';
import type { Quality } from './quality.js';

/** Each measure, and how it differs from the baseline's. */
export function QualityLine({ now, before }: { now: Quality; before: Quality }) {
  if (now.size === 0) return null;
  return (
    <p class="quality" aria-live="polite">
      {[...now].map(([name, value]) => {
        const gain = value - (before.get(name) ?? value);
        return (
          <span key={name}>
            {name} <b>{value.toFixed(3)}</b>{' '}
            {Math.abs(gain) >= 0.0005 && (
              <span class={gain > 0 ? 'up' : 'down'}>
                {gain > 0 ? '+' : ''}
                {formatNumber(Number(gain.toFixed(3)))}
              </span>
            )}
          </span>
        );
      })}
    </p>
  );
}
