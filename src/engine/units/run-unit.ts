import type { UnitClass, UnitInstance } from '../../contract/index.js';
import type { ClassUse } from '../../profile/index.js';
import { reportUnitProblem } from './unit-problems.js';

/** Makes an instance of a unit class, with its services injected. */
export type Instantiate = (unit: UnitClass) => UnitInstance;

/** The method of the kinds that depend on the run by nature, as the engine calls it: params are their schema's. */
interface Prepares<R, V> {
  prepare(params: unknown, run: R): V | Promise<V>;
}

/** A unit of the run as a whole (signal, generator, report) as a function of the run. */
export function runUnit<R, V>(id: string, use: ClassUse, instantiate: Instantiate): (run: R) => V | Promise<V> {
  const unit = reportUnitProblem({ id }, () => instantiate(use.unit)) as Prepares<R, V>;
  return (run) => unit.prepare(use.params, run);
}
