import { useMemo, useState } from 'preact/hooks';
import type { StudioData } from '../../data/studio-data.js';
import { fieldsOf, type Field } from '../list/fields.js';
import { type CardFields, cardReader, type CardText, chooseFields } from './card-fields.js';

/** The fields of the cards of a page, and how to choose others. */
export interface Cards {
  readonly fields: readonly Field[];
  readonly chosen: CardFields;
  readonly choose: (chosen: CardFields) => void;
  readonly read: (candidate: object) => CardText;
}

/** The fields that cards show: at first the likely ones; what a person chooses is kept in the browser. */
export function useCardFields({ title, candidates }: StudioData): Cards {
  const fields = useMemo(() => fieldsOf(candidates), [candidates]);
  const likely = useMemo(() => chooseFields(candidates, fields), [candidates, fields]);
  const [own, setOwn] = useState(() => stored(title));
  const chosen = own ?? likely;
  const read = useMemo(() => cardReader(fields, chosen), [fields, chosen]);
  const choose = (next: CardFields) => {
    setOwn(next);
    try {
      localStorage.setItem(keyOf(title), JSON.stringify(next));
    } catch {
      // The choice is lost when the page closes: the browser does not let this page store anything.
    }
  };
  return { fields, chosen, choose, read };
}

const keyOf = (title: string): string => `assize-studio-card:${title}`;

/** The choice of an earlier visit; undefined if it cannot be read. */
function stored(title: string): CardFields | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(title)) ?? 'null');
    if (typeof found !== 'object' || found === null) return undefined;
    const { title: name, subtitle, image } = found as Readonly<Record<string, unknown>>;
    return {
      title: typeof name === 'string' ? name : undefined,
      subtitle: Array.isArray(subtitle) ? subtitle.filter((one): one is string => typeof one === 'string') : [],
      image: typeof image === 'string' ? image : undefined,
    };
  } catch {
    return undefined;
  }
}
