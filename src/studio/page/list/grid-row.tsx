import { isSelected } from '../model/snapshot.js';
import { formatScore, formatValue } from '../parts/format.js';
import type { GridProps } from './result-grid.js';
import { ScoreBar } from './score-bar.js';

interface RowProps extends GridProps {
  readonly position: number;
  /** Its place in the list. */
  readonly at: number;
  readonly widest: number;
  readonly template: string;
  /** In pixels. */
  readonly height: number;
}

/** A candidate: its rank, how far it moved, its score and what that is made of. */
export function GridRow(props: RowProps) {
  const { model, shown, columns, position, at, widest, active, other, choose, template, height } = props;
  const row = model.ranking.rankedAt(shown.ranks[position]!);
  if (!row) return null;
  const { rank, score, id } = row;
  const state = position === active ? ' active' : position === other ? ' other' : '';
  return (
    <div
      id={`row-${position}`}
      role="row"
      aria-rowindex={at + 2}
      aria-selected={position === active}
      class={`line${isSelected(shown, position) ? ' selected' : ''}${state}`}
      style={{ gridTemplateColumns: template, height: `${height}px` }}
      onClick={() => choose(position)}
    >
      <span role="gridcell" />
      <span role="gridcell" class="number rank">
        {rank}
      </span>
      <Move before={model.baseline.ranks[position]!} rank={rank} />
      <span role="gridcell" class="id" title={id}>
        {id}
      </span>
      <span role="gridcell" class="number">
        {formatScore(score)}
      </span>
      <span role="gridcell">
        <ScoreBar {...{ model, position, score, widest }} />
      </span>
      {columns.map(({ key, numeric, valueOf }) => {
        const text = formatValue(valueOf(model.ranking, model.ranking.order[rank - 1]!));
        return (
          <span key={key} role="gridcell" class={numeric ? 'number' : ''} title={text}>
            {text}
          </span>
        );
      })}
    </div>
  );
}

/** How far a candidate moved from its rank in the baseline; `new` where it had none. */
function Move({ before, rank }: { before: number; rank: number }) {
  const moved = before - rank;
  const [way, text, said] =
    before === 0
      ? ['up', 'new', 'not ranked in the baseline']
      : moved > 0
        ? ['up', `▲ ${moved}`, `up from ${before}`]
        : moved < 0
          ? ['down', `▼ ${-moved}`, `down from ${before}`]
          : ['', '', ''];
  return (
    <span role="gridcell" class={`move ${way}`} title={said}>
      {text}
    </span>
  );
}
