import type { ComponentChildren } from 'preact';
import type { Edit } from '../add/edited.js';
import { budgetAmounts, fieldOf, groupWords, varietyWords } from '../add/selection-words.js';
import { Term } from '../glossary/term.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatCount } from '../parts/in-words.js';
import { NumberInput } from '../parts/number-input.js';
import { isJsonMap, type JsonData } from '../../save/data-edit.js';
import type { Settings } from '../settings/settings.js';
import { selectionIn, withFileEdits } from '../settings/structure.js';
import { EditButton } from './edit-button.js';

interface CutProps {
  readonly model: StudioModel;
  readonly change: (settings: Settings, dropped: boolean) => void;
  readonly edit: Edit | undefined;
}

interface Limits {
  readonly top?: unknown;
  readonly min_score?: unknown;
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** How many items are shown, the least score that they need, the limit per group, the variety and the budget. */
export function Cut({ model, change, edit }: CutProps) {
  const { top, min_score: least } = (model.data.profile.select ?? {}) as Limits;
  const { settings } = model;
  const [writtenTop, writtenLeast] = [numberIn(top), numberIn(least)];
  const [shownTop, shownLeast] = [settings.top ?? writtenTop, settings.minScore ?? writtenLeast];
  const { top: _top, ...withoutTop } = settings;
  const { minScore: _least, ...withoutLeast } = settings;
  const setTop = (number: number) => change(number === writtenTop ? withoutTop : { ...settings, top: number }, true);
  const setLeast = (number: number) =>
    change(number === writtenLeast ? withoutLeast : { ...settings, minScore: number }, true);
  const select = selectionIn(model.data);
  return (
    <section class="switches cut">
      <h2>
        <Term of="cut">Cut</Term>
      </h2>
      <ul>
        <Line edit={<EditButton {...{ edit }} edited="selection" name="the cut" />}>
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
        </Line>
        {select['per'] !== undefined && (
          <Line edit={<EditButton {...{ edit }} edited="limit" name="the limit per group" />}>
            {groupWords(select['per'])}
          </Line>
        )}
        {select['diversify'] !== undefined && (
          <Line edit={<EditButton {...{ edit }} edited="variety" name="the variety" />}>
            {varietyWords(select['diversify'])}
          </Line>
        )}
        {select['pack'] !== undefined && (
          <Line edit={<EditButton {...{ edit }} edited="budget" name="the budget" />}>
            <Budget {...{ model, change }} pack={select['pack']} />
          </Line>
        )}
      </ul>
    </section>
  );
}

/** `Fills up to 4,000 of tokens; 12 of 48 fit`, with the amounts editable. */
function Budget({ model, change, pack }: Omit<CutProps, 'edit'> & { readonly pack: JsonData }) {
  const { selected, ranked } = model.ranking.counts;
  const field = isJsonMap(pack) ? fieldOf(pack['cost']) : '';
  return (
    <>
      <span>
        <Term of="budget">Fills up to</Term>
      </span>{' '}
      {budgetAmounts(pack).map(({ path, amount }) => (
        <label key={path.join('.')} class="param">
          <NumberInput
            type="number"
            label={path.length > 3 ? `Budget, ${path.at(-1)}` : 'Budget'}
            min={0}
            step="any"
            value={amount}
            style={{ width: `calc(${Math.max(3, String(amount).length)}ch + 1.1rem)` }}
            take={(value) => change(withFileEdits(model.settled, [{ path, value }]), true)}
          />
        </label>
      ))}{' '}
      <span>
        of {field}; {formatCount(selected)} of {formatCount(ranked)} fit
      </span>
    </>
  );
}

const Line = ({ edit, children }: { readonly edit: ComponentChildren; readonly children: ComponentChildren }) => (
  <li class="row">
    <div class="sentence">{children}</div>
    {edit}
  </li>
);
