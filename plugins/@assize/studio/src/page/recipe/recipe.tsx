import { useRef, useState } from 'preact/hooks';
import type { Edit } from '../add/edited.js';
import { Term } from '../glossary/term.js';
import type { ListSettings } from '../list/list-view.js';
import type { StudioModel } from '../model/studio-model.js';
import { colourOf } from '../parts/format.js';
import { plainName } from '../parts/in-words.js';
import { casesOf, type Settings, withToggle } from '../settings/settings.js';
import { withWeights } from '../settings/with-weights.js';
import { selectionIn } from '../settings/structure.js';
import { AddButtons } from './add-buttons.js';
import { Criterion } from './criterion.js';
import { Cut } from './cut.js';
import { OtherParts } from './other-parts.js';
import { ShareBar } from './share-bar.js';
import { type NewWeights, sharedWeights, sharesOf, withShare } from './shares.js';
import { Boosts, Removals } from './switched-list.js';

interface RecipeProps {
  readonly model: StudioModel;
  readonly report: (error: unknown) => void;
  readonly list: ListSettings;
  readonly change: (list: ListSettings) => void;
  /** Undefined in a page that cannot edit the profile. */
  readonly edit: Edit | undefined;
}

/** The part of a slider up to which weights fit, so that a person can raise them further. */
const FULL = 0.95;
/** With a smaller part, steps would be too coarse. */
const SLIGHT = 0.1;

/** What the order is made by, in sentences: criteria, removals, boosts and the cut. */
export function Recipe({ model, report, list, change: changeList, edit }: RecipeProps) {
  const cases = Object.keys(casesOf(model.data.profile));
  const [inCase, setCase] = useState<string | undefined>(undefined);
  const [locked, setLocked] = useState<ReadonlySet<string>>(new Set());
  const { scorers, settings } = model;
  const most = Math.max(1, ...scorers.map(({ id }) => Math.abs(Number(model.weightOf(id, inCase)) || 0)));
  // While a slider is dragged its end stays: an end that follows the weight would move away from the pointer. It also stays
  // after that, as long as the weights fit: otherwise all handles would jump.
  const dragging = useRef(false);
  const reachRef = useRef(0);
  const filled = most / reachRef.current; // Infinity at first
  if (!dragging.current && (filled > FULL || filled < SLIGHT)) reachRef.current = niceReach(most);
  const reach = reachRef.current;
  const set = (next: Settings): Promise<void> => model.set(next).catch(report);
  const change = (next: Settings, dropped: boolean) => void (dropped ? set(next) : model.preview(next).catch(report));
  const weighAll = (weights: NewWeights, dropped: boolean) => {
    dragging.current = !dropped;
    change(withWeights(model.data, model.settings, weights, inCase), dropped);
  };
  // While a dialog shows its effect, the button that opened it stays: the focus returns to it.
  const written = useRef<ReadonlySet<string>>(new Set());
  if (settings === model.settled) {
    const { document = {} } = model.data.editing ?? {};
    written.current = new Set([...Object.keys(selectionIn(model.data)), ...Object.keys(document)]);
  }
  const toggleLock = (id: string) =>
    setLocked(new Set(locked.has(id) ? [...locked].filter((one) => one !== id) : [...locked, id]));
  const weights = sharedWeights(model, inCase);
  const shares = weights && sharesOf(weights);
  const colours = new Map(scorers.map(({ id }, k) => [id, colourOf(k)]));
  return (
    <section class="recipe" aria-label="Recipe">
      {edit && <AddButtons {...{ edit }} written={written.current} />}
      {cases.length > 0 && (
        <label class="case">
          Shares for{' '}
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
      {scorers.length === 0 && <p class="note">This profile has no criteria: it only removes items.</p>}
      {scorers.length > 0 && !model.ranker.readsWeights && (
        <p class="note">This profile combines scores without weights.</p>
      )}
      {scorers.length > 0 && (
        <section aria-label="Criteria">
          <h2>
            <Term of="share">Criteria</Term>
          </h2>
          {weights && weights.size > 1 && (
            <ShareBar
              {...{ weights, locked }}
              nameOf={(id) => plainName(model, id)}
              colourOf={(id) => colours.get(id) ?? 'var(--neutral)'}
              weigh={weighAll}
            />
          )}
          <ul class="criteria">
            {scorers.map((scorer) => (
              <Criterion
                key={scorer.id}
                {...{ model, scorer, reach, inCase, set, change, list, changeList, edit }}
                colour={colours.get(scorer.id)!}
                locked={locked.has(scorer.id)}
                share={shares?.get(scorer.id)}
                setShare={(share) => weights && weighAll(withShare(weights, scorer.id, share, locked), true)}
                weigh={(id, weight, dropped) => weighAll({ [id]: weight }, dropped)}
                lock={() => toggleLock(scorer.id)}
                toggle={() => change(withToggle(settings, scorer), true)}
              />
            ))}
          </ul>
        </section>
      )}
      <Removals {...{ model, change, edit }} />
      <Boosts {...{ model, change, edit }} />
      <Cut {...{ model, change, edit }} />
      <OtherParts {...{ model, change, edit }} />
    </section>
  );
}

/** A number that a slider can end at, at least twice the largest weight, or 1. */
function niceReach(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((reach) => reach >= most * 1.5) ?? 20 * power;
}
