import type { Difference } from '@assize/evaluate/measures';
import { isDecided } from '../changes/quality-change.js';
import { MEASURE_NAMES, NO_QUALITY } from '../model/quality.js';
import { useExpert } from '../parts/expert.js';
import { formatGain } from '../parts/format.js';
import { QualityLine } from './quality-line.js';
import { queryGains, type SeveralQueries } from './several-queries.js';
import type { Measured } from './use-measured.js';

/** The queries of the page, and which of them it shows. */
export interface ShownQuery {
  readonly queries: SeveralQueries;
  readonly shown: number;
  readonly show: (query: number) => Promise<void>;
}

interface QueriesProps extends ShownQuery {
  readonly measured: Measured;
  /** By measure; undefined until they are computed. */
  readonly differences: readonly Difference[] | undefined;
  readonly report: (error: unknown) => void;
}

/** How many winners, and how many losers, are listed. */
const LISTED = 8;

/** Which query is shown, the means over all, and which of them gained and lost most beside the baseline. */
export function QueriesPanel({ queries, shown, show, measured, differences, report }: QueriesProps) {
  const { now, before } = measured;
  const expert = useExpert();
  const choose = (query: number) => void show(query).catch(report);
  const gains = now && before ? queryGains(now, before) : [];
  const better = gains.filter(({ gain }) => gain > 0);
  const worse = gains.filter(({ gain }) => gain < 0).toReversed();
  const list = (title: string, some: typeof gains) =>
    some.length > 0 && (
      <p>
        <span>{title}:</span>
        {some.slice(0, LISTED).map(({ query, gain }) => (
          <button key={query} type="button" class="quiet" onClick={() => choose(query)}>
            {queries.ids[query]} {formatGain(gain)}
          </button>
        ))}
        {some.length > LISTED && <span>and {some.length - LISTED} more</span>}
      </p>
    );
  const judged = now?.judgedQueries ?? queries.ids.length;
  return (
    <section class="queries" aria-label="Queries" aria-busy={now === undefined}>
      <div class="facts">
        <label>
          Query{' '}
          <select value={shown} onChange={(event) => choose(Number(event.currentTarget.value))}>
            {queries.ids.map((id, query) => (
              <option key={id} value={query}>
                {id}
              </option>
            ))}
          </select>
        </label>
        <QualityLine
          title={`mean of ${countText(now, queries.ids.length)}`}
          now={now?.means ?? NO_QUALITY}
          before={before?.means ?? NO_QUALITY}
          isSure={(name) => isDecided(differences?.find(({ measure }) => measure === name))}
        />
        {now && before && judged > 0 && (
          <span class="count">
            {expert ? MEASURE_NAMES[0] : 'queries'}: {better.length} better, {worse.length} worse,{' '}
            {judged - better.length - worse.length} the same
          </span>
        )}
      </div>
      <div class="facts gains">
        {list('gained', better)}
        {list('lost', worse)}
      </div>
    </section>
  );
}

/** `70 queries`, or `3 of 70 queries` if the others are not judged. */
const countText = (now: Measured['now'], count: number): string =>
  now && now.judgedQueries < count ? `${now.judgedQueries} of ${count} queries` : `${count} queries`;
