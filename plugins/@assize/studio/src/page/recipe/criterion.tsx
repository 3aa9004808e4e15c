import { useMemo, useState } from 'preact/hooks';
import type { StoredScores } from '../../data/studio-data.js';
import type { Edit } from '../add/edited.js';
import { CurveEditor } from '../curves/curve-editor.js';
import { entryColumn } from '../list/list-columns.js';
import { type ListSettings, withRange } from '../list/list-view.js';
import { RangeHistogram } from '../list/range-histogram.js';
import type { StudioModel } from '../model/studio-model.js';
import { useExpert } from '../parts/expert.js';
import { formatNumber } from '../parts/format.js';
import { percent, plainName, spokenName } from '../parts/in-words.js';
import { NumberInput } from '../parts/number-input.js';
import { isOn, type Settings } from '../settings/settings.js';
import type { WeighedScorer } from '../settings/weighed-scorers.js';
import { EditButton } from './edit-button.js';
import { EntryParams } from './entry-params.js';
import { fieldRead } from './field-read.js';
import { entryAnchor } from './show-entry.js';

interface CriterionProps {
  readonly model: StudioModel;
  readonly scorer: WeighedScorer;
  /** The end of its slider. */
  readonly reach: number;
  readonly inCase: string | undefined;
  readonly colour: string;
  readonly locked: boolean;
  /** Of all that count; undefined if shares cannot be edited. */
  readonly share: number | undefined;
  readonly setShare: (share: number) => void;
  readonly weigh: (id: string, weight: number, dropped: boolean) => void;
  readonly set: (settings: Settings) => Promise<void>;
  readonly change: (settings: Settings, dropped: boolean) => void;
  readonly list: ListSettings;
  readonly changeList: (list: ListSettings) => void;
  readonly edit: Edit | undefined;
  readonly lock: () => void;
  readonly toggle: () => void;
}

/** A scorer as a sentence: how much it counts, with the numbers that it reads; opened, how its scores are spread. */
export function Criterion(props: CriterionProps) {
  const { model, scorer, reach, inCase, colour, locked, weigh, change, edit, lock, toggle } = props;
  const { id, unit } = scorer;
  const name = spokenName(model, id);
  const expert = useExpert();
  const [open, setOpen] = useState(false);
  const field = useMemo(() => fieldRead(model, id), [model.data, id]);
  const weight = model.weightOf(id, inCase);
  const off = !isOn(model.settings, scorer);
  const lowest = typeof weight === 'number' && weight < 0 ? -reach : 0;
  const fixed = off || locked || !model.ranker.readsWeights || typeof weight === 'string';
  const weightInput = typeof weight === 'number' && (
    <NumberInput
      type="number"
      label={`Weight of ${name}, as a number`}
      step="any"
      value={weight}
      disabled={fixed}
      take={(value) => weigh(id, value, true)}
    />
  );
  return (
    <li id={entryAnchor(id)} class={`criterion${off ? ' off' : ''}`} style={{ '--colour': colour }}>
      <div class="sentence">
        <input
          type="checkbox"
          class="switch"
          aria-label={name}
          checked={!off}
          disabled={!model.ranker.canSwitch(scorer)}
          onChange={toggle}
        />
        <div class="words">
          <b class="name" title={unit === '' ? id : `${id}: ${unit}`}>
            {plainName(model, id)}
            {field !== undefined && ' '}
            {field !== undefined && (
              <small class="field-read" title="the field that it reads">
                {field}
              </small>
            )}
          </b>{' '}
          <Counts {...props} off={off} fixed={fixed} />
          <EntryParams {...{ model, id, change }} list="tier2_scorers" />
        </div>
        {model.ranker.readsWeights && typeof weight === 'number' && (
          <button
            type="button"
            class="quiet icon lock"
            aria-pressed={locked}
            aria-label={`Lock ${name}`}
            onClick={lock}
            title={locked ? 'Free its share' : 'Lock its share'}
          >
            <Lock closed={locked} />
          </button>
        )}
        <EditButton {...{ edit, name }} edited={{ list: 'tier2_scorers', id }} />
        <button
          type="button"
          class="quiet icon open"
          aria-expanded={open}
          aria-label={`Details of ${name}`}
          title="How its values are spread"
          onClick={() => setOpen(!open)}
        >
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path d="M2 4l4 4 4-4" fill="none" stroke="currentColor" stroke-width="1.6" />
          </svg>
        </button>
      </div>
      {!off && typeof weight === 'number' && model.ranker.readsWeights && (
        <div class="row weight">
          <input
            type="range"
            aria-label={`Weight of ${name}`}
            aria-valuetext={props.share === undefined ? undefined : `${percent(props.share)} %`}
            style={{ color: colour, '--fill': `${(100 * (weight - lowest)) / (reach - lowest)}%` }}
            min={lowest}
            max={reach}
            step={reach / 200}
            value={weight}
            disabled={fixed}
            onInput={(event) => weigh(id, rounded(event.currentTarget.valueAsNumber), false)}
            onChange={(event) => weigh(id, rounded(event.currentTarget.valueAsNumber), true)}
          />
          {expert && weightInput}
        </div>
      )}
      {!off && (open || expert) && <CurveEditor {...{ model, id, name, colour, set: props.set }} />}
      <Failures scores={model.data.scores[id]} />
      {expert && unit !== '' && (
        <code class="expression" title={unit}>
          {unit}
        </code>
      )}
      {open && <Details {...props} />}
      {open && !expert && !off && weightInput && <label class="param">weight {weightInput}</label>}
    </li>
  );
}

/** `counts 33 %`, with the number editable; `counts × 2` if scores are not combined by shares. */
function Counts(props: CriterionProps & { readonly off: boolean; readonly fixed: boolean }) {
  const { model, scorer, share, setShare, inCase, weigh, off, fixed } = props;
  const { id } = scorer;
  const name = spokenName(model, id);
  const weight = model.weightOf(id, inCase);
  if (off) return <small>is switched off</small>;
  if (!model.ranker.readsWeights) return <small>is part of the score</small>;
  if (typeof weight === 'string') {
    const now = shareInRun(model, id, inCase);
    return (
      <>
        <small>counts {now === undefined ? 'by a formula' : `${formatNumber(now)} by a formula`}</small>
        <code class="expression">{weight}</code>
      </>
    );
  }
  if (share === undefined) {
    return (
      <label class="param">
        counts ×{' '}
        <NumberInput
          type="number"
          label={`Factor of ${name}`}
          step="any"
          value={weight}
          disabled={fixed}
          take={(value) => weigh(id, value, true)}
        />
      </label>
    );
  }
  return (
    <label class="param share">
      counts{' '}
      <NumberInput
        type="number"
        label={`Share of ${name}, in percent`}
        min={0}
        max={100}
        step="any"
        value={percent(share)}
        disabled={fixed}
        take={(value) => setShare(value / 100)}
      />{' '}
      %
    </label>
  );
}

/** How the scores of a criterion are spread. */
function Details({ model, scorer: { id, name }, colour, list, changeList }: CriterionProps) {
  const column = useMemo(() => entryColumn(id, name), [id, name]);
  return (
    <RangeHistogram
      {...{ column, colour }}
      ranking={model.ranking}
      range={list.ranges[column.key]}
      change={(range) => changeList(withRange(list, column.key, range))}
    />
  );
}

/** As a person would write it: a slider has more digits than anybody means. */
const rounded = (weight: number): number => Number(weight.toPrecision(3));

/** What a weight comes to in the run, or in a case of it. */
const shareInRun = ({ ranking }: StudioModel, id: string, inCase: string | undefined): number | undefined =>
  (inCase === undefined ? ranking.weights : ranking.caseWeights[inCase])?.[id] ?? undefined;

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
