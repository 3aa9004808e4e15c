import type { SelectPlan } from './compile-select.js';

type Page = Pick<SelectPlan, 'select'>;

const NONE: readonly number[] = [];

/** Whether the selection begins with the best. What is selected whatever its score is on the first page alone. */
export const isFirstPage = ({ select }: Page): boolean => select.offset === 0;

/** The pinned that are selected. */
export const pinnedOnPage = (plan: Page, pinned: readonly number[]): readonly number[] =>
  isFirstPage(plan) ? pinned : NONE;

/** The pinned that are left out, because they are on the first page. */
export const pinnedBefore = (plan: Page, pinned: readonly number[]): readonly number[] =>
  isFirstPage(plan) ? NONE : pinned;
