import { useRef, useState } from 'preact/hooks';
import type { ListSettings } from '../list/list-view.js';
import type { StudioModel } from '../model/studio-model.js';
import { colourOf } from '../parts/format.js';
import { casesOf, type Settings, withToggle } from '../settings/settings.js';
import { withWeights } from '../settings/with-weights.js';
import { Switches } from './switches.js';
import { WeightRow } from './weight-row.js';

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
  // While a slider is dragged its end stays: an end that follows the weight would move away from the pointer.
  const dragging = useRef(false);
  const reachRef = useRef(0);
  if (!dragging.current) reachRef.current = niceReach(most);
  const reach = reachRef.current;
  const set = (next: Settings): Promise<void> => model.set(next).catch(report);
  const change = (next: Settings, dropped: boolean) => void (dropped ? set(next) : model.preview(next).catch(report));
  const weigh = (id: string, weight: number, dropped: boolean) => {
    dragging.current = !dropped;
    change(withWeights(model.data, settings, { [id]: weight }, inCase), dropped);
  };
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
        <p class="note">This profile combines scores without weights.</p>
      )}
      <ul class="weights">
        {scorers.map((scorer, k) => (
          <WeightRow
            key={scorer.id}
            {...{ model, scorer, reach, inCase, weigh, set, change, list, changeList }}
            colour={colourOf(k)}
            locked={locked.has(scorer.id)}
            lock={() => toggleLock(scorer.id)}
            toggle={() => change(withToggle(settings, scorer), true)}
          />
        ))}
      </ul>
      <Switches model={model} title="Rules" list="adjustments" change={change} />
      <Switches model={model} title="Vetoes" list="tier1_scorers" change={change} />
    </section>
  );
}

/** A number that a slider can end at, at least twice the largest weight, or 1. */
function niceReach(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((reach) => reach >= most * 1.5) ?? 20 * power;
}
