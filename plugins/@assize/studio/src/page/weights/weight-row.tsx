import { useMemo } from 'preact/hooks';
import type { StoredScores } from '../../data/studio-data.js';
import { CurveEditor } from '../curves/curve-editor.js';
import { entryColumn } from '../list/list-columns.js';
import { type ListSettings, withRange } from '../list/list-view.js';
import { RangeHistogram } from '../list/range-histogram.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatNumber } from '../parts/format.js';
import { NumberInput } from '../parts/number-input.js';
import { isOn, type Settings } from '../settings/settings.js';
import type { WeighedScorer } from '../settings/weighed-scorers.js';
import { Params } from './params.js';

interface WeightRowProps {
  readonly model: StudioModel;
  readonly scorer: WeighedScorer;
  readonly reach: number;
  readonly inCase: string | undefined;
  readonly colour: string;
  readonly locked: boolean;
  readonly weigh: (id: string, weight: number, dropped: boolean) => void;
  readonly set: (settings: Settings) => Promise<void>;
  readonly change: (settings: Settings, dropped: boolean) => void;
  readonly list: ListSettings;
  readonly changeList: (list: ListSettings) => void;
  readonly lock: () => void;
  readonly toggle: () => void;
}

/** A scorer: its weight and share, how its scores are spread, and what it is made of. */
export function WeightRow(props: WeightRowProps) {
  const { model, scorer, reach, inCase, colour, locked, weigh, set, change, list, changeList, lock, toggle } = props;
  const { id, name, unit } = scorer;
  const column = useMemo(() => entryColumn(id, name), [id, name]);
  const weight = model.weightOf(id, inCase);
  const off = !isOn(model.settings, scorer);
  const share = shareOf(model, id, inCase);
  const lowest = typeof weight === 'number' && weight < 0 ? -reach : 0;
  const fixed = off || locked || !model.ranker.readsWeights || typeof weight === 'string';
  return (
    <li class={off ? 'off' : ''}>
      <div class="row">
        <label class="row name">
          <input
            type="checkbox"
            checked={!off}
            disabled={!model.ranker.canSwitch(scorer)}
            onChange={toggle}
            style={{ accentColor: colour }}
          />
          <span title={id}>{name}</span>
        </label>
        <span class="share">{formatShare(model, share)}</span>
        <button
          type="button"
          class="quiet lock"
          aria-pressed={locked}
          aria-label={`Lock ${name}`}
          onClick={lock}
          title={locked ? 'Free it' : 'Lock it'}
        >
          <Lock closed={locked} />
        </button>
      </div>
      {typeof weight === 'string' ? (
        <code class="expression">{weight}</code>
      ) : (
        <div class="row">
          <input
            type="range"
            aria-label={`Weight of ${name}`}
            style={{ color: colour, '--fill': `${(100 * (weight - lowest)) / (reach - lowest)}%` }}
            min={lowest}
            max={reach}
            step={reach / 200}
            value={weight}
            disabled={fixed}
            onInput={(event) => weigh(id, rounded(event.currentTarget.valueAsNumber), false)}
            onChange={(event) => weigh(id, rounded(event.currentTarget.valueAsNumber), true)}
          />
          <NumberInput
            type="number"
            label={`Weight of ${name}, as a number`}
            step="any"
            value={weight}
            disabled={fixed}
            take={(value) => weigh(id, value, true)}
          />
        </div>
      )}
      {!off && (
        <RangeHistogram
          {...{ column, colour }}
          ranking={model.ranking}
          range={list.ranges[column.key]}
          change={(range) => changeList(withRange(list, column.key, range))}
        />
      )}
      {!off && <CurveEditor {...{ model, id, name, colour, set }} />}
      <Failures scores={model.data.scores[id]} />
      <code class="expression" title={unit}>
        {unit}
      </code>
      <Params model={model} id={id} change={change} />
    </li>
  );
}

/** As a person would write it: a slider has more digits than anybody means. */
const rounded = (weight: number): number => Number(weight.toPrecision(3));

/** On how many candidates a class failed, and why: what counts for those is up to `on_error`. */
function Failures({ scores }: { scores: StoredScores | undefined }) {
  const messages = Object.values(scores?.failures ?? {});
  if (messages.length === 0) return null;
  return (
    <p class="note warning" title={messages[0]}>
      failed on {messages.length}: {messages[0]}
    </p>
  );
}

/** A lock, closed or open. */
const Lock = ({ closed }: { closed: boolean }) => (
  <svg width="12" height="14" viewBox="0 0 12 14" aria-hidden="true">
    <rect x="1" y="6" width="10" height="7" rx="1.5" fill={closed ? 'currentColor' : 'none'} stroke="currentColor" />
    <path
      d={closed ? 'M3.5 6V4a2.5 2.5 0 0 1 5 0v2' : 'M3.5 6V3.5a2.5 2.5 0 0 1 5 0'}
      fill="none"
      stroke="currentColor"
    />
  </svg>
);

/** What a weight comes to in the run, or in a case of it. */
const shareOf = ({ ranking }: StudioModel, id: string, inCase: string | undefined): number | null | undefined =>
  (inCase === undefined ? ranking.weights : ranking.caseWeights[inCase])?.[id];

/** The same in words: a part of the whole in the means, a factor in the others. */
function formatShare({ data }: StudioModel, share: number | null | undefined): string {
  if (share === undefined || share === null) return '';
  const { combine = 'weighted_mean' } = data.profile;
  const isMean = typeof combine === 'string' && combine.endsWith('_mean');
  return isMean ? `${formatNumber(Number((100 * share).toFixed(1)))} %` : `×${formatNumber(share)}`;
}
