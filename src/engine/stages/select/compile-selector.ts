import { type Child, type SelectorFunction, type SelectorRun } from '../../../contract/index.js';
import { AssizeError } from '../../../diagnostics/index.js';
import type { ClassUse, SelectorEntry } from '../../../profile/index.js';
import type { Instantiate } from '../../units/run-unit.js';
import { RunFailed } from '../../failures/run-errors.js';
import { describeWrongValue } from '../../tasks/stray-promise.js';
import { awaitPromise, isPromise, type Task } from '../../tasks/task.js';
import { checkSelector } from './check-selector.js';
import { withReasonTemplates } from './left-out-reasons.js';
import type { CompiledSelector, SelectorStage } from './types.js';

/** A selector's methods as the engine calls them: params are what its own schema gave. */
interface Callable {
  check?(params: unknown): void;
  prepare?(params: unknown, run: SelectorRun): unknown;
}

/** The location of a selector in the profile. */
type SelectorLocation = Pick<SelectorEntry, 'place'> & { readonly stage: SelectorStage };

/** Whether it, or one inside it, may keep more than its limits. */
function mayExceed({ unit, params, children }: ClassUse): boolean {
  const { overflows = false } = unit.meta;
  const own = typeof overflows === 'function' ? overflows(params as never) : overflows;
  return own || [...children.values()].some(({ use }) => use.kind === 'class' && mayExceed(use));
}

export function compileSelector(use: ClassUse, at: SelectorLocation, instantiate: Instantiate): CompiledSelector {
  const instance = instantiate(use.unit) as Callable;
  if (instance.prepare === undefined) throw new TypeError(`the selector ${use.name} has no method prepare`);
  instance.check?.(use.params);
  const inside = [...use.children].flatMap(([child, inner]) =>
    inner.use.kind === 'class' ? [[child, compileSelector(inner.use, at, instantiate)] as const] : [],
  );
  const role = at.stage === 'place' ? 'places' : mayExceed(use) ? 'may exceed' : 'packs';
  const bounds = { name: use.name, role, place: at.place } as const;
  return {
    keepsGroups: use.unit.meta.groups ?? false,
    *prepare(facts) {
      const selects = new Map<Child, SelectorFunction>();
      for (const [child, one] of inside) selects.set(child, yield* one.prepare(facts));
      const selector = (child: Child): SelectorFunction => {
        const select = selects.get(child);
        if (!select) throw new TypeError('a child is one of the entries that the params gave');
        return select;
      };
      const run: SelectorRun = Object.assign({}, facts, { selector });
      const select = yield* prepareSelector(instance, use, at, run);
      if (typeof select !== 'function') {
        const given = describeWrongValue(select);
        throw new RunFailed(
          use.name,
          at.stage,
          new TypeError(`prepare gives a function of rows, and it gave ${given}`),
        );
      }
      return withReasons(checkSelector(withFailure(select as SelectorFunction, use, at), bounds), use);
    },
  };
}

/** What fails in a selector fails the run: there is no candidate to blame. */
function* prepareSelector(
  instance: Callable,
  { name, params }: ClassUse,
  { stage }: SelectorLocation,
  run: SelectorRun,
): Task<unknown> {
  try {
    const given = instance.prepare?.(params, run);
    return isPromise(given) ? yield* awaitPromise({ entry: name, stage }, given) : given;
  } catch (error) {
    throw asRunFailure(error, name, stage);
  }
}

const withFailure =
  (select: SelectorFunction, { name }: ClassUse, { stage }: SelectorLocation): SelectorFunction =>
  (rows, limits) => {
    try {
      return select(rows, limits);
    } catch (error) {
      throw asRunFailure(error, name, stage);
    }
  };

const asRunFailure = (error: unknown, name: string, stage: string): Error =>
  error instanceof AssizeError || error instanceof RunFailed ? error : new RunFailed(name, stage, error);

/** Notes the reason templates of its class, which stay where an outer selector passes its rows on. */
const withReasons =
  (select: SelectorFunction, { unit }: ClassUse): SelectorFunction =>
  (rows, limits) => {
    const picked = select(rows, limits);
    for (const note of [...picked.left, ...(picked.notes ?? [])]) withReasonTemplates(note, unit.meta.reasons ?? {});
    return picked;
  };
