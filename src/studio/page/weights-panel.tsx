import { useState } from 'preact/hooks';
import type { StudioModel } from './studio-model.js';
import { casesOf, type Settings } from './settings.js';
import { Histogram } from './histogram.js';
import { Params } from './params.js';
import { colourOf, formatNumber } from './format.js';
import type { WeighedScorer } from './weighed-scorers.js';

/** Weights by slider and number, rules and vetoes that can be switched off. */
export function WeightsPanel({ model, report }: { model: StudioModel; report: (error: unknown) => void }) {
  const cases = Object.keys(casesOf(model.data.profile));
  const [inCase, setCase] = useState<string | undefined>(undefined);
  const [locked, setLocked] = useState<ReadonlySet<string>>(new Set());
  const { scorers, settings } = model;
  const most = Math.max(1, ...scorers.map(({ id }) => Math.abs(Number(model.weightOf(id, inCase)) || 0)));
  const reach = niceReach(most);
  const change = (next: Settings, dropped: boolean) =>
    void (dropped ? model.set(next) : model.preview(next)).catch(report);
  const weigh = (id: string, weight: number, dropped: boolean) =>
    change(withWeight(settings, id, weight, inCase), dropped);
  const toggleLock = (id: string) =>
    setLocked(new Set(locked.has(id) ? [...locked].filter((one) => one !== id) : [...locked, id]));
  return (
    <section class="panel" aria-label="Weights">
      <h2>Weights</h2>
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
      {!model.ranker.readsWeights && <p class="note">This profile combines scores by no weights.</p>}
      <ul class="scorers">
        {scorers.map((scorer, k) => (
          <WeightRow
            key={scorer.id}
            {...{ model, scorer, reach, inCase, weigh, change }}
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
  readonly change: (settings: Settings, dropped: boolean) => void;
  readonly lock: () => void;
  readonly toggle: () => void;
}

function WeightRow({ model, scorer, reach, inCase, colour, locked, weigh, change, lock, toggle }: WeightRowProps) {
  const { id, unit } = scorer;
  const weight = model.weightOf(id, inCase);
  const off = model.settings.off.includes(id);
  const share = model.ranking.weights?.[id];
  const fixed = off || locked || !model.ranker.readsWeights || typeof weight === 'string';
  return (
    <li class={off ? 'off' : ''}>
      <div class="row">
        <label class="name">
          <input type="checkbox" checked={!off} onChange={toggle} />{' '}
          <i style={{ background: colour }} aria-hidden="true" />
          {id}
        </label>
        <span class="share">{share === undefined || share === null ? '' : `×${formatNumber(share)}`}</span>
        <button type="button" class="quiet" aria-pressed={locked} onClick={lock} title={locked ? 'Free it' : 'Lock it'}>
          <span class="visually-hidden">Lock {id}</span>
          {locked ? '●' : '○'}
        </button>
      </div>
      {typeof weight === 'string' ? (
        <code class="expression">{weight}</code>
      ) : (
        <div class="row">
          <input
            type="range"
            aria-label={`Weight of ${id}`}
            min={Math.min(0, -reach * Number(weight < 0))}
            max={reach}
            step={reach / 200}
            value={weight}
            disabled={fixed}
            onInput={(event) => weigh(id, event.currentTarget.valueAsNumber, false)}
            onChange={(event) => weigh(id, event.currentTarget.valueAsNumber, true)}
          />
          <input
            type="number"
            aria-label={`Weight of ${id}, as a number`}
            step="any"
            value={weight}
            disabled={fixed}
            onChange={(event) =>
              Number.isFinite(event.currentTarget.valueAsNumber) && weigh(id, event.currentTarget.valueAsNumber, true)
            }
          />
        </div>
      )}
      {!off && <Histogram model={model} id={id} colour={colour} />}
      <Params model={model} id={id} change={change} />
      <code class="expression" title={unit}>
        {unit}
      </code>
    </li>
  );
}

interface SwitchesProps {
  readonly model: StudioModel;
  readonly title: string;
  readonly list: 'adjustments' | 'tier1_scorers';
  readonly change: (settings: Settings, dropped: boolean) => void;
}

/** Rules or vetoes, each with what it does to how many, and whether it is in. */
function Switches({ model, title, list, change }: SwitchesProps) {
  const entries = ((model.data.profile[list] ?? []) as readonly { id: string; enabled?: boolean }[]).filter(
    ({ enabled }) => enabled !== false,
  );
  if (entries.length === 0) return null;
  const counts = list === 'adjustments' ? firedCounts(model) : model.ranker.refusalsByVeto;
  return (
    <fieldset>
      <legend>{title}</legend>
      {entries.map(({ id }) => {
        const fixed = model.ranker.needsServer(id) && !model.hasServer;
        return (
          <div key={id} class="switch">
            <label>
              <input
                type="checkbox"
                checked={!model.settings.off.includes(id)}
                disabled={fixed}
                onChange={() => change(withToggle(model.settings, id), true)}
              />{' '}
              {id} <span class="count">{counts.get(id) ?? 0}</span>
            </label>
            <Params model={model} id={id} change={change} />
          </div>
        );
      })}
    </fieldset>
  );
}

function firedCounts({ ranking: { matrix } }: StudioModel): ReadonlyMap<string, number> {
  return new Map(matrix.rules.map((id) => [id, matrix.rule(id).fired.reduce((sum, fired) => sum + fired, 0)]));
}

const withWeight = (settings: Settings, id: string, weight: number, inCase: string | undefined): Settings =>
  inCase === undefined
    ? { ...settings, weights: { ...settings.weights, [id]: round(weight) } }
    : { ...settings, cases: { ...settings.cases, [inCase]: { ...settings.cases[inCase], [id]: round(weight) } } };

const withToggle = (settings: Settings, id: string): Settings => ({
  ...settings,
  off: settings.off.includes(id) ? settings.off.filter((one) => one !== id) : [...settings.off, id],
});

/** As a person would write it: a slider has more digits than anybody means. */
const round = (weight: number): number => Number(weight.toPrecision(3));

/** A number that a slider can end at, at least twice the largest weight, or 1. */
function niceReach(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((reach) => reach >= most * 1.5) ?? 20 * power;
}
