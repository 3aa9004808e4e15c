import { toAssizeError } from '../../../diagnostics/index.js';
import {
  importOptional,
  type OptionalPackage,
  OptionalPackageError,
  rethrow,
} from '../../../services/optional-package.js';

type Plot = typeof import('@observablehq/plot');
type Linkedom = typeof import('linkedom');

const isPlot = (module: unknown): module is Plot =>
  typeof module === 'object' && module !== null && 'plot' in module && 'dot' in module && 'rectY' in module;

const isLinkedom = (module: unknown): module is Linkedom =>
  typeof module === 'object' && module !== null && 'parseHTML' in module;

const PLOT: OptionalPackage<Plot> = {
  name: '@observablehq/plot linkedom',
  neededBy: 'a report with charts',
  part: 'plot',
  isLibrary: isPlot,
};
const LINKEDOM: OptionalPackage<Linkedom> = {
  name: 'linkedom @observablehq/plot',
  neededBy: 'a report with charts',
  part: 'parseHTML',
  isLibrary: isLinkedom,
};

/** Observable Plot, and a page without a browser that it draws into. */
export interface Drawing {
  readonly Plot: Plot;
  readonly document: ReturnType<Linkedom['parseHTML']>['document'];
}

/** @throws AssizeError (ASZ110) where one of the two packages is not installed */
export async function loadPlot(): Promise<Drawing> {
  try {
    const [plot, { parseHTML }] = await Promise.all([
      importOptional(PLOT, () => import('@observablehq/plot').catch(rethrow)),
      importOptional(LINKEDOM, () => import('linkedom').catch(rethrow)),
    ]);
    return { Plot: plot, document: parseHTML('<html></html>').document };
  } catch (error) {
    if (!(error instanceof OptionalPackageError)) throw error;
    throw toAssizeError([{ code: 'ASZ110', message: error.message }], { cause: error });
  }
}
