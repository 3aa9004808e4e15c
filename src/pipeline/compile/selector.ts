import { AssizeError, type Child, type RunFacts, type Select, type SelectorRun } from '../../contract/index.js';
import { describeValue } from '../../expression/describe.js';
import type { ClassUse, SelectorEntry } from '../../profile/profile.js';
import { saidBy } from '../../stages/left-reasons.js';
import { RunFailed } from '../../stages/plan.js';
import { checked } from '../../stages/selector.js';
import { isPromise, type Steps, waitFor } from '../../stages/wait.js';
import type { Instantiate } from './unit.js';

/** A selector with those inside it: prepared once a run, the inner ones first. */
export interface CompiledSelector {
  prepare(facts: RunFacts): Steps<Select>;
}

/** A selector's methods as the engine calls them: params are what its own schema gave. */
interface Callable {
  check?(params: unknown): void;
  prepare?(params: unknown, run: SelectorRun): unknown;
}

/** Where a selector stands. */
type At = Pick<SelectorEntry, 'place'> & { readonly stage: 'pack' | 'place' };

/** Whether it, or one inside it, may keep more than its limits. */
function mayExceed({ unit, params, children }: ClassUse): boolean {
  const { overflows = false } = unit.meta;
  const own = typeof overflows === 'function' ? overflows(params as never) : overflows;
  return own || [...children.values()].some(({ use }) => use.kind === 'class' && mayExceed(use));
}

export function compileSelector(use: ClassUse, at: At, instantiate: Instantiate): CompiledSelector {
  const instance = instantiate(use.unit) as Callable;
  if (instance.prepare === undefined) throw new TypeError(`the selector ${use.name} has no method prepare`);
  instance.check?.(use.params);
  const inside = [...use.children].flatMap(([child, inner]) =>
    inner.use.kind === 'class' ? [[child, compileSelector(inner.use, at, instantiate)] as const] : [],
  );
  const role = at.stage === 'place' ? 'places' : mayExceed(use) ? 'may exceed' : 'packs';
  const bounds = { name: use.name, role, place: at.place } as const;
  return {
    *prepare(facts) {
      const selects = new Map<Child, Select>();
      for (const [child, one] of inside) selects.set(child, yield* one.prepare(facts));
      const selector = (child: Child): Select => {
        const select = selects.get(child);
        if (!select) throw new TypeError('a child is one of the entries that the params gave');
        return select;
      };
      const run: SelectorRun = Object.assign({}, facts, { selector });
      const select = yield* preparedBy(instance, use, at, run);
      if (typeof select !== 'function') {
        const given = describeValue(select);
        throw new RunFailed(
          use.name,
          at.stage,
          new TypeError(`prepare gives a function of rows, and it gave ${given}`),
        );
      }
      return signed(checked(guarded(select as Select, use, at), bounds), use);
    },
  };
}

/** What fails in a selector fails the run: there is no candidate to blame. */
function* preparedBy(instance: Callable, { name, params }: ClassUse, { stage }: At, run: SelectorRun): Steps<unknown> {
  try {
    const given = instance.prepare?.(params, run);
    return isPromise(given) ? yield* waitFor({ entry: name, stage }, given) : given;
  } catch (error) {
    throw asFailure(error, name, stage);
  }
}

const guarded =
  (select: Select, { name }: ClassUse, { stage }: At): Select =>
  (rows, limits) => {
    try {
      return select(rows, limits);
    } catch (error) {
      throw asFailure(error, name, stage);
    }
  };

const asFailure = (error: unknown, name: string, stage: string): Error =>
  error instanceof AssizeError || error instanceof RunFailed ? error : new RunFailed(name, stage, error);

/** Its reasons are its own, whoever hands them on. */
const signed =
  (select: Select, { unit }: ClassUse): Select =>
  (rows, limits) => {
    const picked = select(rows, limits);
    for (const left of picked.left) saidBy(left, unit.meta.reasons ?? {});
    return picked;
  };
