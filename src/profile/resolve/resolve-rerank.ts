import { closestName } from '../../diagnostics/did-you-mean.js';
import { isMap } from '../../expression/is-map.js';
import type { CombineMethod, RerankSpec, ScorerEntry } from '../profile.js';
import { rerankSchema } from '../schema/entry-schemas.js';
import { partialParse } from '../schema/partial-parse.js';
import { enabledEntryIds, entryIds } from './check-references.js';
import type { Path, Resolver } from './resolver.js';

/** Which scorers are asked last; undefined where the profile does not say, or says what cannot be. */
export function resolveRerank(
  resolver: Resolver,
  combine: CombineMethod,
  scorers: readonly ScorerEntry[],
): RerankSpec | undefined {
  const written = resolver.root['rerank'];
  for (const [index, id] of writtenIds(written).entries()) {
    if (typeof id === 'string') checkRerankedId(resolver, id, ['rerank', 'ask', index]);
  }
  const data = partialParse(rerankSchema, written);
  if (!data) return undefined;
  const asked = new Set(data.ask);
  const whole = scorers.length === enabledEntryIds(resolver.root, 'tier2_scorers').length;
  if (whole && scorers.length > 0 && scorers.every(({ id }) => asked.has(id))) {
    const hint = 'leave a cheap scorer out of ask: the best by those that are left are asked about';
    resolver.report('ASZ505', 'rerank asks every scorer, so that nothing says who is best', ['rerank', 'ask'], hint);
  }
  const read = typeof combine === 'string' ? [] : data.ask.filter((id) => combine.formula.reads.includes(id));
  for (const id of read) {
    const message = `the formula reads ${id}: without it nothing says who is best`;
    const hint = 'combine by weights, or let an adjustment read it: scores.NAME is absent until it was asked';
    resolver.report('ASZ505', message, ['rerank', 'ask', data.ask.indexOf(id)], hint);
  }
  return { top: data.top, ask: [...asked] };
}

/** The ids that are written, whatever else is wrong there. */
function writtenIds(written: unknown): readonly unknown[] {
  const ask: unknown = isMap(written) ? written['ask'] : undefined;
  return Array.isArray(ask) ? ask : [];
}

/** What is asked last is a scorer; one that is disabled is asked nothing, and need not be taken out. */
function checkRerankedId(resolver: Resolver, id: string, path: Path): void {
  const { root } = resolver;
  const scorers = entryIds(root, 'tier2_scorers');
  if (scorers.includes(id)) return;
  const kind = entryIds(root, 'measures').includes(id)
    ? 'a measure'
    : entryIds(root, 'tier1_scorers').includes(id)
      ? 'a veto'
      : undefined;
  if (kind !== undefined) {
    const hint = `${kind === 'a veto' ? 'vetoes come first' : 'measures are taken of all'}; tier2_scorers: ${scorers.join(', ')}`;
    resolver.report('ASZ205', `rerank asks ${id}, which is ${kind} and no scorer`, path, hint);
    return;
  }
  const near = closestName(id, enabledEntryIds(root, 'tier2_scorers'));
  const hint = near ? `did you mean ${near}?` : `tier2_scorers: ${scorers.join(', ') || 'none'}`;
  resolver.report('ASZ205', `rerank asks ${id}, and there is no such scorer`, path, hint);
}
