import { unitWord } from '../recipe/durations.js';
import { type Decay, DECAY_TYPES, DECAY_WORDS, UNITS } from './decay.js';
import { Choice, NumberField } from './inputs.js';

interface DecayFieldsProps {
  readonly decay: Decay;
  readonly change: (decay: Decay) => void;
}

/** The score that `undated` starts with. */
const UNDATED = 0.5;

/** How a score falls with age, how fast, and the score without a date. */
export function DecayFields({ decay, change }: DecayFieldsProps) {
  const { type, amount, unit, undated } = decay;
  const units = new Set<string>([...UNITS, unit]);
  return (
    <>
      <Choice
        label="With its age, the score"
        value={type}
        choices={DECAY_TYPES.map((one) => [one, DECAY_WORDS[one][0]])}
        choose={(next) => change({ ...decay, type: next })}
      />
      <NumberField
        label={DECAY_WORDS[type][1]}
        value={amount}
        min={0}
        change={(next) => change({ ...decay, amount: next })}
      />
      <Choice
        label="Unit of time"
        value={unit}
        choices={[...units].map((one) => [one, unitWord(one, 2)])}
        choose={(next) => change({ ...decay, unit: next })}
      />
      <Choice
        label="Without a date"
        value={typeof undated === 'number' ? 'score' : undated === 'abstain' ? 'ignored' : 'default'}
        choices={[
          ...(undated === undefined ? [['default', 'the score is 0.5'] as const] : []),
          ['ignored', 'this criterion is ignored'],
          ['score', 'the score is a number'],
        ]}
        choose={(next) =>
          change({ ...decay, undated: next === 'ignored' ? 'abstain' : next === 'score' ? UNDATED : undefined })
        }
      />
      {typeof undated === 'number' && (
        <NumberField
          label="Score without a date"
          value={undated}
          min={0}
          max={1}
          change={(next) => change({ ...decay, undated: next })}
        />
      )}
    </>
  );
}
