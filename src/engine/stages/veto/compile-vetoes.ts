import type { Profile } from '../../../profile/index.js';
import type { Binder } from '../../units/binder.js';
import type { UnitCompiler } from '../../units/unit-compiler.js';
import { makeVetoLoop } from '../../kernel/veto-loop.js';
import type { RunContext } from '../../entries/run-context.js';
import type { ActiveVeto, CompiledVeto, VetoPlan } from './types.js';

/** Compiles the vetoes, in groups. With `veto_on_first: false` each is a group: it sees every candidate. */
export function compileVetoes(
  { vetoes, vetoOnFirst }: Profile,
  units: UnitCompiler,
  binder: Binder,
  codegen: boolean,
): VetoPlan {
  const groups: CompiledVeto[][] = [];
  for (const [refuser, entry] of vetoes.entries()) {
    const unit = units.entry<boolean>(entry, 'veto');
    const one: CompiledVeto = { entry, refuser, when: binder.condition(entry.when, entry.id, 'veto'), unit };
    const last = groups.at(-1);
    if (last && vetoOnFirst && !unit.prepares && !last.some((other) => other.unit.prepares)) last.push(one);
    else groups.push([one]);
  }
  return {
    groups: groups.map((group) => ({ vetoes: group, loop: makeVetoLoop(group.length, codegen) })),
    onFirst: vetoOnFirst,
  };
}

/** The vetoes of every run alike, for a profile in which none is prepared or conditional. */
export const activeVetoes = ({ groups }: VetoPlan, context: RunContext): readonly ActiveVeto[] =>
  groups.flatMap(({ vetoes }) =>
    vetoes.map(({ entry, refuser, unit }) => {
      return { entry, refuser, refuses: unit.scoreIn(context), failure: undefined, given: undefined };
    }),
  );
