import type { ServiceBinding } from './service.js';
import type { UnitClass } from './unit.js';

/**
 * A module of units, under their class names. It may also export `services`, a list of `ServiceBinding`, and `codes`, a
 * map of the codes of its problems. Other exports are ignored.
 */
export type Plugin = Readonly<Record<string, unknown>>;

/** The units, services and codes of a plugin, checked. */
export interface LoadedPlugin {
  /** The name before the slash of `plugin/ClassName`: `core`, or that of a file or package. */
  readonly name: string;
  readonly units: ReadonlyMap<string, UnitClass>;
  /** The services that it binds or replaces. */
  readonly services: readonly ServiceBinding[];
  /** The codes of the problems that its units report, each with a sentence of what it means. */
  readonly codes: Readonly<Record<string, string>>;
}
