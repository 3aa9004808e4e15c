import { type Field, readField } from '../list/fields.js';
import { formatValue } from '../parts/format.js';

/** The names of the fields that a card shows. */
export interface CardFields {
  /** The id if it is missing. */
  readonly title?: string | undefined;
  readonly subtitle: readonly string[];
  readonly image?: string | undefined;
}

/** What a card shows of a candidate. */
export interface CardText {
  /** Undefined if the candidate has no title: its id is shown. */
  readonly title: string | undefined;
  readonly subtitle: string;
  /** The address of its image, from the candidate; not checked. */
  readonly image: string | undefined;
}

const TITLES = /^(?:name|title|headline|product_?name|full_?name|label|subject)$/i;
const SUBTITLES =
  /^(?:brand|category|genre|major genre|author|artist|maker|company|employer|location|city|type|kind|section|price|year|director|subtitle|role|status|department)$/i;
const IMAGES = /^(?:image|img|photo|picture|thumb|thumbnail|poster|cover|avatar|logo)(?:_?(?:url|link|src))?$/i;
const IMAGE_URL = /^(?:https?:\/\/\S+\.(?:png|jpe?g|webp|gif|avif|svg)(?:[?#]\S*)?|data:image\/\S+)$/i;

/** How many candidates are read to choose fields. */
const SAMPLE = 50;
/** Multiples of the golden ratio are spread evenly, without a period. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** A longer text is no subtitle. */
const LONG = 60;
const SUBTITLE_FIELDS = 2;

/** The fields that a card shows until a person chooses others: those with a usual name or value. */
export function chooseFields(candidates: readonly object[], fields: readonly Field[]): CardFields {
  const sample = sampleOf(candidates);
  const texts = new Map(
    fields.map((field) => [
      field.name,
      sample.map((one) => readField(one, field)).filter((value): value is string => typeof value === 'string'),
    ]),
  );
  const textsOf = ({ name }: Field): readonly string[] => texts.get(name) ?? [];
  const lastKey = ({ keys }: Field): string => keys.at(-1) ?? '';
  const isImage = (field: Field): boolean => {
    const values = textsOf(field);
    if (values.length === 0) return false;
    const addresses = values.filter((value) => IMAGE_URL.test(value)).length;
    return addresses > values.length / 2 || (IMAGES.test(lastKey(field)) && values.some((one) => /^https?:/.test(one)));
  };
  const image = fields.find(isImage);
  const title = fields.find((field) => TITLES.test(lastKey(field)) && textsOf(field).length > 0);
  const subtitle = fields
    .filter((field) => field !== title && field !== image && SUBTITLES.test(lastKey(field)))
    .filter((field) => field.numeric || textsOf(field).some((value) => value.length <= LONG));
  return {
    title: title?.name,
    subtitle: subtitle.slice(0, SUBTITLE_FIELDS).map(({ name }) => name),
    image: image?.name,
  };
}

/** The first candidates, and others from the whole list: not at equal distances, which a list may have a pattern of. */
export function sampleOf(candidates: readonly object[]): readonly object[] {
  if (candidates.length <= SAMPLE) return candidates;
  const places = Array.from({ length: SAMPLE }, (_, k) =>
    k < SAMPLE / 2 ? k : Math.floor(((k * GOLDEN) % 1) * candidates.length),
  );
  return places.map((place) => candidates[place]!);
}

/** Reads the chosen fields of candidates. */
export function cardReader(fields: readonly Field[], chosen: CardFields): (candidate: object) => CardText {
  const fieldOf = (name: string | undefined): Field | undefined => fields.find((field) => field.name === name);
  const [title, image] = [fieldOf(chosen.title), fieldOf(chosen.image)];
  const subtitle = chosen.subtitle.flatMap((name) => fieldOf(name) ?? []);
  const text = (candidate: object, field: Field): string =>
    formatValue(readField(candidate, field), field === title ? undefined : field.name);
  return (candidate) => ({
    title: (title && text(candidate, title)) || undefined,
    subtitle: subtitle
      .map((field) => text(candidate, field))
      .filter((part) => part !== '')
      .join(' · '),
    image: (image && text(candidate, image)) || undefined,
  });
}
