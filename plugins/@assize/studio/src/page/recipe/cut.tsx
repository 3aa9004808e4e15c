import { Term } from '../glossary/term.js';
import type { StudioModel } from '../model/studio-model.js';
import { NumberInput } from '../parts/number-input.js';
import type { Settings } from '../settings/settings.js';

interface CutProps {
  readonly model: StudioModel;
  readonly change: (settings: Settings, dropped: boolean) => void;
}

interface Limits {
  readonly top?: unknown;
  readonly min_score?: unknown;
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** How many items are shown, and the least score that they need. */
export function Cut({ model, change }: CutProps) {
  const { top, min_score: least } = (model.data.profile.select ?? {}) as Limits;
  const { settings } = model;
  const [writtenTop, writtenLeast] = [numberIn(top), numberIn(least)];
  const [shownTop, shownLeast] = [settings.top ?? writtenTop, settings.minScore ?? writtenLeast];
  const { top: _top, ...withoutTop } = settings;
  const { minScore: _least, ...withoutLeast } = settings;
  const setTop = (number: number) => change(number === writtenTop ? withoutTop : { ...settings, top: number }, true);
  const setLeast = (number: number) =>
    change(number === writtenLeast ? withoutLeast : { ...settings, minScore: number }, true);
  return (
    <section class="switches cut">
      <h2>
        <Term of="cut">Cut</Term>
      </h2>
      <p class="sentence">
        <label class="param">
          Show the top{' '}
          <NumberInput
            type="number"
            label="Items shown"
            placeholder="all"
            min={0}
            step={1}
            value={shownTop}
            take={setTop}
          />
        </label>
        <label class="param">
          with a score of at least{' '}
          <NumberInput
            type="number"
            label="Least score"
            placeholder="any"
            step="any"
            value={shownLeast}
            take={setLeast}
          />
        </label>
      </p>
    </section>
  );
}
