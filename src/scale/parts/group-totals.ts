import type { Problem } from '../../base/index.js';
import type { Degraded } from '../../engine/index.js';
import type { GroupBatch } from '../../pipeline/index.js';
import type { RankingResult, TopCounts } from '../../ranking/index.js';

/** The groups after which warnings are no longer looked for. */
export const GROUPS_WITH_WARNINGS = 20;

/** The totals of some groups as plain data. */
export interface TotalsState {
  readonly groups: number;
  readonly counts: TopCounts;
  readonly degraded: readonly Degraded[];
  /** The warnings of each of the first groups. */
  readonly warned: readonly (readonly Problem[])[];
  /** The name of the first group. */
  readonly first: string | undefined;
  readonly now: number | undefined;
}

/** What the rankings of all groups have in common. */
export class GroupTotals {
  #groups = 0;
  #counts = NO_COUNTS;
  #degraded = new Map<string, Degraded>();
  #warned: (readonly Problem[])[] = [];
  #first: string | undefined;
  #now: number | undefined;

  /** @param group its name; undefined if the ranking is the only one */
  add(ranking: RankingResult<object>, group?: string): void {
    const { counts, degraded, now } = ranking;
    // Computed when it is read.
    const warned = this.#groups < GROUPS_WITH_WARNINGS ? [ranking.warnings] : [];
    this.addPart({ groups: 1, counts, degraded, warned, first: group, now });
  }

  /** Adds groups without failures, after those that may have warnings. */
  addAll({ groups, counts }: Pick<GroupBatch, 'groups' | 'counts'>): void {
    this.#groups += groups.length;
    this.#addCounts(counts);
  }

  /** Adds the totals of groups that were ranked elsewhere. */
  addPart({ groups, counts, degraded, warned, first, now }: TotalsState): void {
    this.#now ??= now;
    this.#first ??= first;
    this.#addCounts(counts);
    this.#warned.push(...warned.slice(0, Math.max(0, GROUPS_WITH_WARNINGS - this.#groups)));
    this.#groups += groups;
    for (const one of degraded) {
      const key = `${one.entry} ${one.stage} ${one.cause}`;
      const before = this.#degraded.get(key);
      this.#degraded.set(key, before ? { ...before, count: before.count + one.count } : one);
    }
  }

  get state(): TotalsState {
    const [groups, counts, warned, first, now] = [this.#groups, this.#counts, this.#warned, this.#first, this.#now];
    return { groups, counts, degraded: this.degraded, warned, first, now };
  }

  #addCounts(counts: TopCounts): void {
    this.#counts = {
      given: this.#counts.given + counts.given,
      ranked: this.#counts.ranked + counts.ranked,
      selected: this.#counts.selected + counts.selected,
      notSelected: this.#counts.notSelected + counts.notSelected,
      refused: this.#counts.refused + counts.refused,
    };
  }

  clear(): void {
    this.#groups = 0;
    this.#counts = NO_COUNTS;
    this.#degraded.clear();
    this.#warned = [];
    this.#first = undefined;
  }

  get groups(): number {
    return this.#groups;
  }

  get counts(): TopCounts {
    return this.#counts;
  }

  get degraded(): readonly Degraded[] {
    return [...this.#degraded.values()];
  }

  /** Warnings that all of the first groups have. Others are about the rows of a group, not about the profile. */
  get warnings(): readonly Problem[] {
    const [own = [], ...others] = this.#warned;
    const codes = others.map((warnings) => new Set(warnings.map(keyOf)));
    const warnings = own.filter((one) => codes.every((those) => those.has(keyOf(one))));
    if (this.#first === undefined || warnings.length === 0) return warnings;
    const seen = this.#warned.length;
    const where = `in ${seen === 1 ? 'group' : `the first ${seen} groups, such as`} ${this.#first}: `;
    return warnings.map((one) => ({ ...one, message: where + one.message }));
  }

  /** The time of the run, in milliseconds since 1970. */
  get now(): number | undefined {
    return this.#now;
  }
}

const NO_COUNTS: TopCounts = { given: 0, ranked: 0, selected: 0, notSelected: 0, refused: 0 };

const keyOf = ({ code, path }: Problem): string => `${code} ${path}`;
