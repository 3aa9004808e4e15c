import type { ComponentChildren } from 'preact';
import { COMBINE_WORDS, isWay } from '../add/edit-combine.js';
import type { Edit, Edited } from '../add/edited.js';
import { fieldOf } from '../add/selection-words.js';
import { Term } from '../glossary/term.js';
import {
  type FileEdit,
  isJsonList,
  isJsonMap,
  type JsonData,
  type JsonMap,
  scalarText,
  type Step,
} from '../../save/data-edit.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatValue } from '../parts/format.js';
import { inWords, listed, plainName } from '../parts/in-words.js';
import type { Settings } from '../settings/settings.js';
import { selectionIn, withFileEdits } from '../settings/structure.js';
import { EditButton } from './edit-button.js';
import { EntryParams } from './entry-params.js';
import { ExpressionNumbers } from './expression-numbers.js';

interface OtherPartsProps {
  readonly model: StudioModel;
  readonly change: (settings: Settings, dropped: boolean) => void;
  readonly edit: Edit | undefined;
}

/** A part of the profile in a sentence. */
interface Part {
  readonly key: string;
  /** For the button that changes it. */
  readonly name: string;
  readonly edited: Edited;
  readonly sentence: ComponentChildren;
}

/** Keys that the recipe shows elsewhere, or that describe the file. */
const SHOWN = new Set(
  'name description extends plugins tier1_scorers measures tier2_scorers adjustments select combine weights let signals'.split(
    ' ',
  ),
);
const SHOWN_OF_SELECT = new Set(['top', 'min_score', 'per', 'diversify', 'pack']);

/** How scores combine, weights by group, named values, signals and measures in sentences; the rest of the profile by name. */
export function OtherParts({ model, change, edit }: OtherPartsProps) {
  const { document } = model.data.editing ?? {};
  if (!document || !edit) return null;
  const setAt = (path: readonly Step[], value: JsonData) => {
    const edits: readonly FileEdit[] = [{ path, value }];
    change(withFileEdits(model.settled, edits), true);
  };
  const main = [
    ...combination(document, setAt),
    ...weightCases(document),
    ...namedValues(document, setAt),
    ...entries(model, 'signals', change, setAt),
    ...entries(model, 'measures', change, setAt),
  ];
  const rest = otherKeys(model, document);
  if (main.length + rest.length === 0) return null;
  const list = (parts: readonly Part[]) => (
    <ul>
      {parts.map(({ key, name, edited, sentence }) => (
        <li key={key} class="row">
          <div class="sentence">
            <span>{sentence}</span>
          </div>
          <EditButton {...{ edit, edited, name }} />
        </li>
      ))}
    </ul>
  );
  return (
    <section class="switches others" aria-label="Calculations">
      {main.length > 0 && (
        <>
          <h2>
            <Term of="calculation">Calculations</Term>
          </h2>
          {list(main)}
        </>
      )}
      {rest.length > 0 && (
        <details>
          <summary>More of this profile ({rest.length})</summary>
          {list(rest)}
        </details>
      )}
    </section>
  );
}

type SetAt = (path: readonly Step[], value: JsonData) => void;

function combination({ combine }: JsonMap, setAt: SetAt): readonly Part[] {
  if (combine === undefined) return [];
  const formula = isJsonMap(combine) ? combine['formula'] : undefined;
  const way = scalarText(combine);
  const sentence =
    formula === undefined ? (
      `The score is ${isWay(way) ? COMBINE_WORDS[way] : way}.`
    ) : (
      <>
        The score is{' '}
        <ExpressionNumbers
          text={scalarText(formula)}
          name="the score"
          set={(text) => setAt(['combine', 'formula'], text)}
        />
      </>
    );
  return [{ key: 'combine', name: 'how scores combine', edited: 'combination', sentence }];
}

function weightCases({ weights }: JsonMap): readonly Part[] {
  if (!isJsonMap(weights) || !isJsonMap(weights['cases'])) return [];
  const names = Object.keys(weights['cases']);
  const sentence = `The weights depend on ${fieldOf(weights['by'])}: ${listed(names)} ${names.length === 1 ? 'has' : 'have'} weights of their own.`;
  return [{ key: 'weights', name: 'the weights by group', edited: 'weights by group', sentence }];
}

function namedValues({ let: values }: JsonMap, setAt: SetAt): readonly Part[] {
  return Object.entries(isJsonMap(values) ? values : {}).map(([name, value]) => ({
    key: `let ${name}`,
    name: `the value ${name}`,
    edited: { value: name },
    sentence: (
      <>
        <b class="name">{name}</b> is{' '}
        <ExpressionNumbers
          text={scalarText(value)}
          {...{ name }}
          set={(text) => setAt(['let', name], likeNumber(value, text))}
        />
      </>
    ),
  }));
}

const likeNumber = (before: JsonData, text: string): JsonData =>
  typeof before === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;

function entries(
  model: StudioModel,
  list: 'signals' | 'measures',
  change: OtherPartsProps['change'],
  setAt: SetAt,
): readonly Part[] {
  const items = model.data.editing?.document[list];
  return (isJsonList(items) ? items : []).filter(isJsonMap).map((entry) => {
    const id = scalarText(entry['id']);
    const name = list === 'measures' ? plainName(model, id) : scalarText(entry['label']) || inWords(id);
    const { expr } = entry;
    const now = list === 'signals' ? model.ranking.signals[id] : undefined;
    return {
      key: `${list} ${id}`,
      name: `the ${list === 'signals' ? 'signal' : 'measure'} ${name}`,
      edited: { list, id },
      sentence: (
        <>
          {list === 'signals' ? 'Signal' : 'Measure'}{' '}
          <b class="name" title={id}>
            {name}
          </b>{' '}
          {expr === undefined ? (
            <small>by {scalarText(entry['class'])}</small>
          ) : (
            <ExpressionNumbers
              text={scalarText(expr)}
              name={name}
              set={(text) => setAt([list, { id }, 'expr'], text)}
            />
          )}
          {now !== undefined && <small> is {formatValue(now, id)} now</small>}
          {entry['enabled'] === false && <small> is switched off</small>}
          {list === 'measures' && <EntryParams {...{ model, list, id, change }} />}
        </>
      ),
    };
  });
}

/** Parts without a form of their own: entries of other lists, other keys of `select`, and other keys. */
function otherKeys(model: StudioModel, document: JsonMap): readonly Part[] {
  const named = (['strategies', 'report'] as const).flatMap((list) => {
    const items = document[list];
    return (isJsonList(items) ? items : []).filter(isJsonMap).map((entry): Part => {
      const id = scalarText(entry['id']);
      const kind = list === 'report' ? 'Report' : 'Strategy';
      return {
        key: `${list} ${id}`,
        name: `${kind.toLowerCase()} ${id}`,
        edited: { list, id },
        sentence: `${kind} ${inWords(id)}`,
      };
    });
  });
  const part = (path: readonly string[], value: JsonData | undefined): Part => {
    const name = inWords(path.at(-1) ?? '');
    return {
      key: path.join('.'),
      name: name.toLowerCase(),
      edited: { part: path },
      sentence: (
        <>
          <b class="name" title={path.join('.')}>
            {name}
          </b>{' '}
          <small>{summaryOf(value)}</small>
        </>
      ),
    };
  };
  const select = selectionIn(model.data);
  return [
    ...named,
    ...Object.keys(select)
      .filter((key) => !SHOWN_OF_SELECT.has(key))
      .map((key) => part(['select', key], select[key])),
    ...Object.keys(document)
      .filter((key) => !SHOWN.has(key) && key !== 'strategies' && key !== 'report')
      .map((key) => part([key], document[key])),
  ];
}

/** A value in a few words: the names in a map or a list, else the value. */
function summaryOf(value: JsonData | undefined): string {
  if (isJsonMap(value)) return Object.keys(value).join(', ');
  return isJsonList(value)
    ? value.map((one) => (isJsonMap(one) ? scalarText(one['id'] ?? one['use']) : scalarText(one))).join(', ')
    : scalarText(value);
}
