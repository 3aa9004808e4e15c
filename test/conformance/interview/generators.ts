import { createPipeline, type ProfileInput } from 'assize';
import type { Case } from '../tally.js';
import { DEEPEN_BY_ARGUMENT } from './rulings.js';
import { contextFrom, snakeKeys } from './translate.js';
import type { Data, Vectors } from './vectors.js';

/** Strategies that the service knew without generating candidates: ours generate one, on something open. */
const UNMADE: Readonly<Record<string, readonly string[]>> = {
  seed: ['bridge', 'contrast', 'ease', 'synthesis', 'clarify'],
  late: ['clarify'],
};

/** The presets, with the gate of the service's first version. */
const PROFILES: Readonly<Record<string, ProfileInput>> = {
  seed: {
    extends: ['interview'],
    strategies: [
      {
        id: 'closing',
        type_category: 'closing',
        focus: { class: 'OpenFocus', params: { focus_type: 'closing' }, when: 'context.turn_count >= 8' },
      },
    ],
    plugins: ['interview'],
  },
  late: { extends: ['interview-extended'] },
};

const contextOf = ({
  recentNodesInProperties,
  recentNodesArgument,
  elementsSeen,
  elementsTotal,
  ...rest
}: Data): Data =>
  contextFrom({
    ...rest,
    recentNodes: recentNodesInProperties ?? recentNodesArgument ?? [],
    properties: { coverage: { elementsSeen: elementsSeen ?? [], elementsTotal: elementsTotal ?? [] } },
  });

/** A focus of the service as one of ours: null is absent, and ids are strings. */
function focusFrom(focus: Data): Data {
  const present = Object.entries(snakeKeys(focus)).filter(([, value]) => value !== null);
  return Object.fromEntries(
    present.map(([key, value]) => [key, key.endsWith('_id') ? String(value as string | number) : value]),
  );
}

async function focuses(profile: ProfileInput, context: Data): Promise<ReadonlyMap<string, readonly Data[]>> {
  const ranking = await (await createPipeline<{ strategy: { id: string }; focus: Data }>(profile)).rank(
    undefined,
    context,
  );
  const made = [...ranking.ranked, ...ranking.refused].toSorted((a, b) => a.index - b.index);
  const byStrategy = new Map<string, Data[]>();
  for (const { candidate } of made) {
    const known = byStrategy.get(candidate.strategy.id);
    if (known) known.push(candidate.focus);
    else byStrategy.set(candidate.strategy.id, [candidate.focus]);
  }
  return byStrategy;
}

/** The focuses of strategies, by the presets. */
export const generators = ({ focusVectors }: Vectors): Promise<readonly Case[]> =>
  Promise.all(
    focusVectors.map(async ({ id, version, context, expected }) => {
      const found = await focuses(PROFILES[version] ?? {}, contextOf(context));
      const compared = Object.entries(expected).filter(([strategy]) => !UNMADE[version]?.includes(strategy));
      const ruled = (strategy: string, given: readonly Data[]): readonly Data[] =>
        id.startsWith('fo-arg-only') && strategy === 'deepen' ? DEEPEN_BY_ARGUMENT : given;
      return {
        name: id,
        expected: Object.fromEntries(compared.map(([name, given]) => [name, ruled(name, given).map(focusFrom)])),
        found: Object.fromEntries(compared.map(([name]) => [name, found.get(name) ?? []])),
      };
    }),
  );
