import { useMemo, useState } from 'preact/hooks';
import { CurveEditor } from './curve-editor.js';
import { colourOf, formatNumber } from './format.js';
import { entryColumn } from './list-columns.js';
import { type ListSettings, withRange } from './list-view.js';
import { Params } from './params.js';
import { RangeHistogram } from './range-histogram.js';
import { casesOf, type Settings, withToggle } from './settings.js';
import type { StudioModel } from './studio-model.js';
import { Switches } from './switches.js';
import type { WeighedScorer } from './weighed-scorers.js';

interface WeightsProps {
  readonly model: StudioModel;
  readonly report: (error: unknown) => void;
  readonly list: ListSettings;
  readonly change: (list: ListSettings) => void;
}

/** Weights by slider and number, rules and vetoes that can be switched off. */
export function WeightsPanel({ model, report, list, change: changeList }: WeightsProps) {
  const cases = Object.keys(casesOf(model.data.profile));
  const [inCase, setCase] = useState<string | undefined>(undefined);
  const [locked, setLocked] = useState<ReadonlySet<string>>(new Set());
  const { scorers, settings } = model;
  const most = Math.max(1, ...scorers.map(({ id }) => Math.abs(Number(model.weightOf(id, inCase)) || 0)));
  const reach = niceReach(most);
  const set = (next: Settings): Promise<void> => model.set(next).catch(report);
  const change = (next: Settings, dropped: boolean) => void (dropped ? set(next) : model.preview(next).catch(report));
  const weigh = (id: string, weight: number, dropped: boolean) =>
    change(withWeight(settings, id, weight, inCase), dropped);
  const toggleLock = (id: string) =>
    setLocked(new Set(locked.has(id) ? [...locked].filter((one) => one !== id) : [...locked, id]));
  return (
    <section aria-label="Weights">
      {cases.length > 0 && (
        <label class="case">
          Case{' '}
          <select
            aria-label="Case"
            value={inCase ?? ''}
            onChange={(event) => setCase(event.currentTarget.value || undefined)}
          >
            <option value="">all others</option>
            {cases.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {scorers.length === 0 && <p class="note">This profile has no scorers: it only refuses.</p>}
      {scorers.length > 0 && !model.ranker.readsWeights && (
        <p class="note">This profile combines scores by no weights.</p>
      )}
      <ul class="weights">
        {scorers.map((scorer, k) => (
          <WeightRow
            key={scorer.id}
            {...{ model, scorer, reach, inCase, weigh, set, change, list, changeList }}
            colour={colourOf(k)}
            locked={locked.has(scorer.id)}
            lock={() => toggleLock(scorer.id)}
            toggle={() => change(withToggle(settings, scorer.id), true)}
          />
        ))}
      </ul>
      <Switches model={model} title="Rules" list="adjustments" change={change} />
      <Switches model={model} title="Vetoes" list="tier1_scorers" change={change} />
    </section>
  );
}

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

function WeightRow(props: WeightRowProps) {
  const { model, scorer, reach, inCase, colour, locked, weigh, set, change, list, changeList, lock, toggle } = props;
  const { id, name, unit } = scorer;
  const column = useMemo(() => entryColumn(id, name), [id, name]);
  const weight = model.weightOf(id, inCase);
  const off = model.settings.off.includes(id);
  const share = shareOf(model, id, inCase);
  const lowest = typeof weight === 'number' && weight < 0 ? -reach : 0;
  const fixed = off || locked || !model.ranker.readsWeights || typeof weight === 'string';
  return (
    <li class={off ? 'off' : ''}>
      <div class="row">
        <label class="row name">
          <input type="checkbox" checked={!off} onChange={toggle} style={{ accentColor: colour }} />
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
            onInput={(event) => weigh(id, event.currentTarget.valueAsNumber, false)}
            onChange={(event) => weigh(id, event.currentTarget.valueAsNumber, true)}
          />
          <input
            type="number"
            aria-label={`Weight of ${name}, as a number`}
            step="any"
            value={weight}
            disabled={fixed}
            onChange={(event) =>
              Number.isFinite(event.currentTarget.valueAsNumber) && weigh(id, event.currentTarget.valueAsNumber, true)
            }
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
      <code class="expression" title={unit}>
        {unit}
      </code>
      <Params model={model} id={id} change={change} />
    </li>
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
  (inCase === undefined ? ranking.weights : ranking.caseWeights.get(inCase))?.[id];

/** The same in words: a part of the whole in the means, a factor in the others. */
function formatShare({ data }: StudioModel, share: number | null | undefined): string {
  if (share === undefined || share === null) return '';
  const { combine = 'weighted_mean' } = data.profile;
  const isMean = combine === 'weighted_mean' || combine === 'geometric_mean';
  return isMean ? `${formatNumber(Number((100 * share).toFixed(1)))} %` : `×${formatNumber(share)}`;
}

const withWeight = (settings: Settings, id: string, weight: number, inCase: string | undefined): Settings =>
  inCase === undefined
    ? { ...settings, weights: { ...settings.weights, [id]: round(weight) } }
    : { ...settings, cases: { ...settings.cases, [inCase]: { ...settings.cases[inCase], [id]: round(weight) } } };

/** As a person would write it: a slider has more digits than anybody means. */
const round = (weight: number): number => Number(weight.toPrecision(3));

/** A number that a slider can end at, at least twice the largest weight, or 1. */
function niceReach(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((reach) => reach >= most * 1.5) ?? 20 * power;
}
