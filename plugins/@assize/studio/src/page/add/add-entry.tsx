import { useEffect, useState } from 'preact/hooks';
import type { ClassForm, ParamField } from '../../data/studio-data.js';
import { isJsonMap, type JsonData, type JsonMap, withEdit } from '../../save/data-edit.js';
import type { StudioServer } from '../model/server-api.js';
import { counted, inWords } from '../parts/in-words.js';
import { freeId } from '../settings/structure.js';
import { CalculatedFields, useCalculatedValue } from './calculated-value.js';
import { ENTRY_KINDS, type EntryKind, type EntryKindName, type Method, newEntryEdit } from './entry-kinds.js';
import { fieldFacts, suggestedTexts } from './field-facts.js';
import { fieldText, pathText } from './field-text.js';
import { Choice, TextField } from './inputs.js';
import { ParamInput } from './param-input.js';
import { ToText } from './to-text.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useTrial } from './use-trial.js';

interface AddEntryProps extends AddProps {
  readonly server: StudioServer;
  readonly kind: EntryKindName;
}

/** The methods that are not a class. A class cannot have such a name. */
const EXPRESSION = 'an expression';
const NOTHING = 'nothing';

/** Adds a part that a class computes: chooses the class, and its params. */
export function AddEntry({ server, kind: name, ...props }: AddEntryProps) {
  const { model, report, edit } = props;
  const kind: EntryKind = ENTRY_KINDS[name];
  const [data] = useState(model.data);
  const fields = fieldFacts(data.candidates);
  const [classes, setClasses] = useState<readonly ClassForm[]>();
  useEffect(
    () => void server.classes().then((all) => setClasses(all.filter(({ kind: of }) => of === kind.of)), report),
    [],
  );
  const first = kind.without === 'expression' ? EXPRESSION : kind.without === 'nothing' ? NOTHING : undefined;
  const [chosen, setChosen] = useState<string>();
  const method = chosen ?? first ?? classes?.[0]?.name;
  const ofClass = classes?.find((one) => one.name === method);
  const [params, setParams] = useState<JsonMap>({});
  const value = useCalculatedValue(fields, '');
  const [label, setLabel] = useState('');
  const id = freeId(data, label || (ofClass ? wordsOf(ofClass.name) : (value.simple?.field.name ?? kind.of)));
  const use = methodOf();
  const edits = use && [newEntryEdit(kind, id, label === id ? '' : label, use)];
  const trial = useTrial(model, edits);

  function methodOf(): Method | undefined {
    if (method === NOTHING) return 'nothing';
    if (method === EXPRESSION) return value.text === undefined ? undefined : { expr: value.text };
    if (!ofClass || ofClass.withoutForm) return undefined;
    const isComplete = ofClass.params.every((field) => !(field.isRequired ?? false) || isSet(params, field));
    return isComplete ? { class: ofClass.name, params } : undefined;
  }

  const suggestedFor = ({ form }: ParamField): readonly string[] =>
    form === undefined
      ? suggestedTexts(data.candidates)
      : fields.map(({ keys }) => (form === 'path' ? pathText(keys) : fieldText(keys)));
  const inputOf = (field: ParamField) => (
    <ParamInput
      key={`${method} ${field.path.join('.')}`}
      {...{ field }}
      suggested={suggestedFor(field)}
      value={valueIn(params, field.path)}
      change={(next) => setParams(withParam(params, field.path, next))}
    />
  );
  const needed = ofClass?.params.filter(({ isRequired = false }) => isRequired) ?? [];
  const others = ofClass?.params.filter(({ isRequired = false }) => !isRequired) ?? [];
  const isInList = kind.path.length === 1;
  return (
    <TrialDialog
      {...props}
      title={kind.title}
      {...{ trial }}
      isComplete={edits !== undefined}
      sentence={`Will be written to ${fileName(model)} when you save${isInList ? `, with the name ${id}` : ''}.`}
      action={kind.action}
    >
      <p class="note">{kind.about}</p>
      {classes && classes.length === 0 && first === undefined && (
        <p class="note">The plugins of this profile have no method for this.</p>
      )}
      {(method !== undefined || !classes) && (
        <Choice
          label="Method"
          value={method ?? ''}
          choices={[
            // Shown at once, because the dialog focuses its first field when it opens.
            ...(method === undefined ? [['', '…'] as const] : []),
            ...(kind.without === 'expression' ? [[EXPRESSION, 'a field or a calculation'] as const] : []),
            ...(kind.without === 'nothing' ? [[NOTHING, 'one item with the name of the strategy'] as const] : []),
            ...(classes ?? []).map((one) => [one.name, wordsOf(one.name)] as const),
          ]}
          choose={(next) => {
            setChosen(next);
            setParams({});
          }}
        />
      )}
      {method === EXPRESSION && <CalculatedFields {...{ value, fields }} />}
      {ofClass && (
        <p class="note" title={ofClass.name}>
          {ofClass.summary}
        </p>
      )}
      {ofClass?.withoutForm ? (
        <ToText {...{ edit }} path={kind.path} reason={reasonOf(ofClass.withoutForm)} />
      ) : (
        <>
          {needed.map(inputOf)}
          {others.length > 0 && (
            <details>
              <summary>{counted(others.length, 'more setting')}</summary>
              <div class="fields">{others.map(inputOf)}</div>
            </details>
          )}
        </>
      )}
      {isInList && <TextField label="Name (optional)" value={label} change={setLabel} />}
    </TrialDialog>
  );
}

/** `core/RankFusionScorer` → `Rank fusion`. */
const wordsOf = (name: string): string => {
  const words = name
    .replace(/^.*\//, '')
    .replace(/(?<=.)(?:Veto)?(?:Scorer|Veto|Signal|Selector)$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return inWords(words.replace(/(?<= )[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase()));
};

function reasonOf({ param, because }: NonNullable<ClassForm['withoutForm']>): string {
  const name = inWords(param).toLowerCase();
  return because === 'outside'
    ? `This method needs “${name}”, which names a file, an address or a model on this computer. A page may not set these: write it in the file with an editor; the page then loads the file again.`
    : `This method needs “${name}”, which has parts in parts that this form cannot show. Write it in the text of the file.`;
}

const valueIn = (params: JsonMap, path: ParamField['path']): JsonData | undefined =>
  path.reduce<JsonData | undefined>((inner, step) => (isJsonMap(inner) ? inner[String(step)] : undefined), params);

function isSet(params: JsonMap, field: ParamField): boolean {
  const { path, value, isUnset = false } = field;
  const set = valueIn(params, path) ?? (isUnset ? undefined : value);
  return set !== undefined && set !== '' && !(Array.isArray(set) && set.length === 0);
}

/** The params with one changed; a text that is emptied is not set. */
function withParam(params: JsonMap, path: ParamField['path'], value: JsonData): JsonMap {
  const [first] = path;
  if (value === '' && first !== undefined) {
    return Object.fromEntries(Object.entries(params).filter(([key]) => key !== first));
  }
  const next = withEdit(params, path, value);
  return isJsonMap(next) ? next : params;
}
