import { Term } from '../glossary/term.js';
import type { Quality } from '../model/quality.js';
import { useExpert } from '../parts/expert.js';
import { formatGain } from '../parts/format.js';

interface QualityProps {
  /** What it is the quality of, where that is not the list. */
  readonly title?: string;
  readonly now: Quality;
  readonly before: Quality;
  /** Whether the data show that a difference of a measure is not chance. Only such a difference has a colour. */
  readonly isSure: (measure: string) => boolean;
}

/** A smaller difference is not shown, with three decimals. */
const LEAST = 0.0005;

/** The first measure, and how it differs from the baseline's; every measure in the expert view. */
export function QualityLine({ title, now, before, isSure }: QualityProps) {
  const expert = useExpert();
  if (now.size === 0) return null;
  const shown = expert ? [...now] : [...now].slice(0, 1);
  return (
    <p class="quality">
      {title !== undefined && <span>{title}:</span>}
      {shown.map(([name, value]) => {
        const gain = value - (before.get(name) ?? value);
        return (
          <span key={name}>
            {expert ? name : <Term of="quality" />} <b>{value.toFixed(3)}</b>{' '}
            {Math.abs(gain) >= LEAST && (
              <span class={isSure(name) ? (gain > 0 ? 'up' : 'down') : ''}>{formatGain(gain)}</span>
            )}
          </span>
        );
      })}
    </p>
  );
}
