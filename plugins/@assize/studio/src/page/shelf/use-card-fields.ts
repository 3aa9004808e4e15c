import { useMemo, useState } from 'preact/hooks';
import { allowedImage } from '../../data/image-hosts.js';
import type { StudioData } from '../../data/studio-data.js';
import { fieldsOf, type Field } from '../list/fields.js';
import { type CardFields, cardReader, type CardText, chooseFields, sampleOf } from './card-fields.js';
import { allowedHosts } from './card-image.js';

/** The fields of the cards of a page, and how to choose others. */
export interface Cards {
  readonly fields: readonly Field[];
  readonly chosen: CardFields;
  readonly choose: (chosen: CardFields) => void;
  readonly read: (candidate: object) => CardText;
  /** Whether some image may be loaded: without any, cards have no room for images. */
  readonly hasImages: boolean;
  /** The host of images that may not be loaded; undefined if there is no such image. */
  readonly refusedHost: string | undefined;
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
  const images = useMemo(() => imagesOf(candidates, read), [candidates, read]);
  return { fields, chosen, choose, read, ...images };
}

/** Whether images of a sample may be loaded. */
function imagesOf(
  candidates: readonly object[],
  read: (candidate: object) => CardText,
): Pick<Cards, 'hasImages' | 'refusedHost'> {
  const addresses = sampleOf(candidates).flatMap((candidate) => read(candidate).image ?? []);
  const refused = addresses.find((address) => allowedImage(address, allowedHosts()) === undefined);
  return {
    hasImages: addresses.some((address) => allowedImage(address, allowedHosts()) !== undefined),
    refusedHost: refused !== undefined && URL.canParse(refused) ? new URL(refused).host : undefined,
  };
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
