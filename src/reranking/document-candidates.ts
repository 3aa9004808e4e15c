import { describeValue, toAssizeError } from '../diagnostics/index.js';
import { isMap } from '../expression/index.js';

/** Where most rerankers and retrievers have a document's text. */
const TEXT = 'text';

/**
 * Documents as candidates of a profile: a text becomes the profile's field of text, and an object is one, with that field
 * where it has only `text`.
 *
 * @param field the profile's `serve.text`
 * @throws AssizeError where a document is neither (ASZ590)
 */
export function documentCandidates(documents: readonly unknown[], field: string): readonly object[] {
  return documents.map((document, index) => {
    if (typeof document === 'string') return { [field]: document };
    if (!isMap(document)) {
      const message = `expected a text or an object, found ${describeValue(document)}`;
      throw toAssizeError([{ code: 'ASZ590', message, path: `documents[${index}]` }]);
    }
    const isNamed = Object.hasOwn(document, field) || !Object.hasOwn(document, TEXT);
    return isNamed ? document : { ...document, [field]: document[TEXT] };
  });
}
