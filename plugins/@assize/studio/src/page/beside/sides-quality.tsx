import {
  type Difference,
  differenceText,
  estimateText,
  pText,
  queriesText,
  valueText,
} from '@assize/evaluate/measures';
import type { Kept } from '../model/history.js';
import type { Quality } from '../model/quality.js';
import type { Snapshot } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { QualityLine } from '../queries/quality-line.js';
import type { QueriesQuality, SeveralQueries } from '../queries/several-queries.js';
import { useMeasured } from '../queries/use-measured.js';
import { useDifferences } from './use-differences.js';

/** What stands on one side: an order, and what it was kept as; not kept is what is shown now. */
export interface ShownSide {
  readonly kept: Kept | undefined;
  readonly snapshot: Snapshot;
}

interface ListQualityProps {
  readonly model: StudioModel;
  readonly left: ShownSide;
  readonly right: ShownSide;
}

interface SidesQualityProps extends ListQualityProps {
  readonly queries: SeveralQueries;
  readonly report: (error: unknown) => void;
}

/** How good the two orders of one list are by the judgements. */
export function ListQuality({ model, left, right }: ListQualityProps) {
  const [before, now] = [model.qualityOf(left.snapshot), model.qualityOf(right.snapshot)];
  if (before.size === 0 || now.size === 0) return null;
  return <QualityTable caption="By the judgements" {...{ before, now }} />;
}

/** How good both sides are over all queries, and whether a difference between them is shown. */
export function SidesQuality(props: SidesQualityProps) {
  const { model, queries, left, right } = props;
  const [before, now] = [useSide(left, props), useSide(right, props)];
  const differences = useDifferences(queries, before, now);
  if (model.qualityOf(left.snapshot).size === 0 || !before || !now) return null;
  return (
    <>
      <QualityTable
        caption={`Means of ${queries.ids.length} queries`}
        before={before.means}
        now={now.means}
        {...{ differences }}
      />
      <div class="facts sides-facts">
        <QualityLine
          title="this query, right; difference to left"
          now={model.qualityOf(right.snapshot)}
          before={model.qualityOf(left.snapshot)}
          isSure={() => false} // one query of several
        />
      </div>
      {[left, right].some(({ kept }) => isEarlier(model, kept)) && (
        <p class="note">
          Settings of an earlier version of the file are measured with their weights and the current entries.
        </p>
      )}
    </>
  );
}

const isEarlier = ({ data }: StudioModel, kept: Kept | undefined): boolean =>
  kept?.version !== undefined && kept.version !== data.file?.version;

/** How good a side is over all queries; another profile by its own orders. */
function useSide(
  { kept }: ShownSide,
  { model: { settings }, queries, report }: SidesQualityProps,
): QueriesQuality | undefined {
  const measure = (isWanted: () => boolean) =>
    kept ? queries.measureKept(kept, isWanted) : queries.measure(settings, isWanted);
  return useMeasured(measure, [queries, queries.gradedAs, kept ?? settings], report);
}

interface TableProps {
  readonly caption: string;
  readonly before: Quality;
  readonly now: Quality;
  /** Of several queries: whether a difference is shown. */
  readonly differences?: readonly Difference[] | undefined;
}

function QualityTable({ caption, before, now, differences }: TableProps) {
  const isTested = differences !== undefined;
  return (
    <table class="sides-quality" aria-label={caption}>
      <thead>
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col">left</th>
          <th scope="col">right</th>
          <th scope="col">difference{isTested && ' (95 %)'}</th>
          {isTested && <th scope="col">p</th>}
          {isTested && (
            <th scope="col" class="verdict">
              verdict
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {[...now].map(([name, value]) => {
          const old = before.get(name) ?? Number.NaN;
          const difference = differences?.find(({ measure }) => measure === name);
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{valueText(old)}</td>
              <td>{valueText(value)}</td>
              <td>
                {difference
                  ? estimateText(difference.mean, difference.interval, differenceText)
                  : differenceText(value - old)}
              </td>
              {difference && <td>{pText(difference.adjusted)}</td>}
              {difference && (
                <td class="verdict" title={queriesText(difference)}>
                  {difference.verdict}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
