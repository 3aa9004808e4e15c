import { useState } from 'preact/hooks';
import { PROFILE_KEYS, type StudioData } from '../../data/studio-data.js';
import { type FileEdit, isJsonList, isJsonMap, type JsonData, scalarText } from '../../save/data-edit.js';
import { Choice, TextField } from './inputs.js';
import { RemovePart } from './remove-part.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useTrial } from './use-trial.js';

/** The ways to combine scores, in words. */
export const COMBINE_WORDS = {
  weighted_mean: 'the weighted average of the criteria',
  weighted_sum: 'the weighted sum of the criteria',
  geometric_mean: 'the geometric average: a low criterion pulls the score down',
  harmonic_mean: 'the harmonic average: a low criterion pulls the score down most',
  product: 'the product of the criteria, without weights',
  min: 'the lowest criterion, without weights',
  max: 'the highest criterion, without weights',
  formula: 'a formula of the criteria',
} as const satisfies Readonly<Record<string, string>>;

type Way = keyof typeof COMBINE_WORDS;

export const isWay = (name: string): name is Way => Object.hasOwn(COMBINE_WORDS, name);

const WAYS = Object.keys(COMBINE_WORDS).filter(isWay);

/** The ways that use weights. The others refuse a profile that has some. */
const WEIGHTED: ReadonlySet<Way> = new Set<Way>(['weighted_mean', 'weighted_sum', 'geometric_mean', 'harmonic_mean']);

/** The edits that remove the weights of the file. */
function unweighted(data: StudioData): readonly FileEdit[] {
  const isOwn = (list: string, id: string): boolean => data.editing?.origins[list]?.[id] === 'own';
  const scorers = data.editing?.document['tier2_scorers'];
  const weighed = (isJsonList(scorers) ? scorers : []).flatMap((entry) => {
    const id = isJsonMap(entry) && entry['weight'] !== undefined ? scalarText(entry['id']) : undefined;
    return id !== undefined && isOwn('tier2_scorers', id) ? [id] : [];
  });
  return [
    ...weighed.map((id): FileEdit => ({ path: ['tier2_scorers', { id }, 'weight'], remove: true })),
    ...(isOwn(PROFILE_KEYS, 'weights') ? [{ path: ['weights'], remove: true as const }] : []),
  ];
}

/** Chooses how the scores of the criteria become one score. */
export function EditCombine(props: AddProps) {
  const { model } = props;
  const [data] = useState(model.data);
  const written = data.editing?.document['combine'];
  const writtenWay = isJsonMap(written) ? 'formula' : scalarText(written ?? 'weighted_mean');
  const [way, setWay] = useState<Way>(isWay(writtenWay) ? writtenWay : 'weighted_mean');
  const sum = model.scorers.map(({ id }) => id).join(' + ');
  const [formula, setFormula] = useState(isJsonMap(written) ? scalarText(written['formula']) : sum);
  const combine: JsonData = way === 'formula' ? { ...(isJsonMap(written) && written), formula } : way;
  const isSame = JSON.stringify(combine) === JSON.stringify(written ?? 'weighted_mean');
  // The formula of a map that is written can be changed alone.
  const edit =
    isJsonMap(written) && way === 'formula'
      ? { path: ['combine', 'formula'], value: formula }
      : { path: ['combine'], value: combine };
  const isComplete = way !== 'formula' || formula.trim() !== '';
  const trial = useTrial(model, isSame || !isComplete ? [] : [...(WEIGHTED.has(way) ? [] : unweighted(data)), edit]);
  return (
    <TrialDialog
      {...props}
      title="How scores combine"
      {...{ trial, isComplete }}
      sentence={`Writes to ${fileName(model)}: the score of a candidate is ${way === 'formula' ? formula : COMBINE_WORDS[way]}.${WEIGHTED.has(way) || isSame ? '' : ' The weights are removed.'}`}
      action="Change"
      more={
        written !== undefined && (
          <RemovePart
            {...props}
            path={['combine']}
            name="The way to combine scores"
            neutral={written === 'weighted_mean' ? undefined : [{ path: ['combine'], value: 'weighted_mean' }]}
          />
        )
      }
    >
      <Choice label="The score is" value={way} choices={WAYS.map((one) => [one, COMBINE_WORDS[one]])} choose={setWay} />
      {way === 'formula' && (
        <>
          <TextField label="Formula" required value={formula} change={setFormula} />
          <p class="note">It reads the criteria by their ids: {model.scorers.map(({ id }) => id).join(', ')}.</p>
        </>
      )}
    </TrialDialog>
  );
}
