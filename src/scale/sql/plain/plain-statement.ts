import { type Expression, parsePath } from '../../../expression/index.js';
import type { Scoring } from '../../../engine/index.js';
import type { StreamRun } from '../../../pipeline/index.js';
import type { Profile, StatisticOf } from '../../../profile/index.js';
import { combineScores, type SqlScore, translateScorer } from '../combine.js';
import { type Column, type Dialect, fail, Untranslatable } from '../dialect.js';
import type { RunFacts } from '../calls.js';
import { type Target, translator } from '../expression.js';
import { translateRule } from '../judgement.js';
import { KeptRows } from '../kept-rows.js';
import { absentNumber, exactNumber, numberLiteral, type SqlNumber } from '../values.js';
import { PlainLayers } from './plain-layers.js';
import { PlainArithmetic, PlainFields, type UnreadFields } from './plain-values.js';

/** The table that a plain statement reads. */
export interface PlainTable {
  /** The table, as SQL after FROM. */
  readonly from: string;
  readonly columns: readonly Column[];
  /** The column that orders rows of equal score; undefined for any order. */
  readonly orderBy?: string | undefined;
}

/** Options of a plain statement. */
export interface PlainOptions {
  /** The column by which the rows are divided. Each group is a ranking of its own. */
  readonly partitionBy?: string | undefined;
  /** Fail if a score may differ from the engine's, for finite numbers. */
  readonly exact?: boolean | undefined;
}

/**
 * Writes a profile as one statement for people: without error bounds, and without rows for the engine to evaluate. It
 * returns the selected rows with rank, score and the score of each scorer. Scores may differ from the engine's in the
 * last digits, and rows that the engine would fail on have no score.
 *
 * @throws AssizeError if a part of the profile has no plain translation (ASZ571), or if a column is unknown (ASZ569)
 */
export function plainStatement(run: StreamRun, exact: Dialect, table: PlainTable, options: PlainOptions = {}): string {
  const obstacle = plainObstacle(run.plan.profile);
  if (obstacle !== undefined) noStatement([obstacle]);
  return new PlainTranslator(run, { ...exact, isPlain: true }, table, options).translate();
}

/** Why a profile has no plain statement; undefined if SQL may express it. */
function plainObstacle({ select, fallback, candidate, adjustments }: Profile): string | undefined {
  if (select.seed !== undefined) return 'a seed gives a random number to each position of the whole input';
  if (fallback.length > 0) return 'a fallback may select any candidate';
  if (candidate.pinned) return 'pinned candidates are selected whatever their score';
  const rule = adjustments.find(({ group }) => group);
  if (rule) return `the rule ${rule.id} compares the candidates of a group`;
  const selector = (['duplicates', 'diversify', 'pack', 'place'] as const).find((key) => select[key] !== undefined);
  return selector && `select.${selector} compares candidates with each other`;
}

const noStatement = (reasons: readonly string[]): never =>
  fail(
    'ASZ571',
    `there is no plain statement: ${reasons.join('; ')}`,
    'without --plain, the engine evaluates what SQL cannot',
  );

const notExact = (reasons: readonly string[]): never =>
  fail(
    'ASZ571',
    `the plain statement is not exact: ${reasons.join('; ')}`,
    'without --exact, scores may differ from the engine in the last digits',
  );

/** The negation of a condition that refuses a row. NULL does not refuse. */
function notTrue(refuses: string): string {
  const [, condition] = /^coalesce\((.*), FALSE\)$/s.exec(refuses) ?? [];
  return condition === undefined ? `NOT ${refuses}` : `${condition} IS NOT TRUE`;
}

/** The column of a scorer's scores. */
interface ScorerColumn {
  readonly id: string;
  readonly sql: string;
}

class PlainTranslator {
  readonly #layers: PlainLayers;
  readonly #numbers: PlainArithmetic;
  readonly #target: Target;
  readonly #unread: UnreadFields = { missing: new Set(), mistyped: new Set() };
  readonly #rows: KeptRows;
  #readsTime = false;
  /** The group of a row, quoted. */
  readonly #group: string | undefined;

  constructor(
    private readonly run: StreamRun,
    private readonly dialect: Dialect,
    private readonly table: PlainTable,
    private readonly options: PlainOptions,
  ) {
    const { from, columns } = table;
    this.#layers = new PlainLayers(
      from,
      columns.map(({ name }) => name),
      (name) => dialect.identifier(name),
    );
    const column = (name: string): Column | undefined => columns.find((one) => one.name === name);
    this.#group = options.partitionBy === undefined ? undefined : this.#column(options.partitionBy);
    this.#numbers = new PlainArithmetic(dialect, this.#layers);
    this.#target = {
      numbers: this.#numbers,
      fields: new PlainFields(dialect, { column }, this.#layers, this.#numbers.differences, this.#unread),
      run: this.#noteTime(run.start),
      statisticOf: (which, { sql }) => this.#statistic(which, sql),
    };
    this.#rows = new KeptRows(run, this.#target);
  }

  /** The facts of the run. Notes whether the statement contains its time. */
  #noteTime({ now, context, signals }: RunFacts): RunFacts {
    const note = (): void => void (this.#readsTime = true);
    return {
      context,
      signals,
      get now() {
        note();
        return now;
      },
    };
  }

  translate(): string {
    const rows = this.#rows;
    rows.veto();
    rows.measure();
    this.#checkTranslated();
    this.#layers.where('kept', rows.steps.refusals.map(notTrue));
    const { score, scorers, refusals } = this.#scored();
    const { minScore, top, offset } = this.run.plan.select;
    const least = minScore === undefined ? [] : [`${score} >= ${numberLiteral(this.dialect, minScore)}`];
    // False for NULL, and for NaN, which databases sort above infinity. The engine refuses such rows.
    const isFinite = `${score} < CAST('Infinity' AS ${this.dialect.types.number})`;
    this.#layers.where('scored', [isFinite, ...refusals.map(notTrue)]);
    const rank = this.#layers.define('rank', `row_number() OVER (${this.#window([`${score} DESC`, ...this.#ties()])})`);
    this.#layers.flush('ranked');
    this.#layers.where('selectable', least);
    const nth = this.#limitPerGroup(rank);
    if (this.options.exact && this.#numbers.differences.size > 0) notExact([...this.#numbers.differences]);
    const page = [
      ...(offset > 0 ? [`${nth} > ${offset}`] : []),
      ...(top === undefined ? [] : [`${nth} <= ${offset + top}`]),
    ];
    const keys = [...(this.#group === undefined ? [] : [this.#group]), rank, ...this.#ids(), score];
    const shown = [...keys, ...scorers.map(({ id, sql }) => this.#named(id, sql, keys))];
    const order = [...(this.#group === undefined ? [] : [this.#group]), rank];
    const where = page.length === 0 ? '' : `\nWHERE ${page.join(' AND ')}`;
    const statement = this.#layers.statement(
      `SELECT ${[...new Set(shown)].join(', ')}`,
      `${where}\nORDER BY ${order.join(', ')}`,
    );
    return `${this.#notes()}${statement}`;
  }

  /** What the reader of a statement must know, as comments. */
  #notes(): string {
    const missing = [...this.#unread.missing].map((name) => `the table has no column ${JSON.stringify(name)}`);
    const notes = [...missing, ...this.#unread.mistyped].map((note) => note.replaceAll(/\s+/g, ' '));
    const { now } = this.run.start;
    const time = this.#readsTime
      ? `-- The time is ${new Date(now).toISOString()}, that of the translation: translate again for another time.\n`
      : '';
    return time + notes.map((note) => `-- Note: ${note}: it has no value.\n`).join('');
  }

  /** Scores as columns, and the conditions under which a scorer or a rule refuses a row. */
  #scored(): {
    readonly score: string;
    readonly scorers: readonly ScorerColumn[];
    readonly refusals: readonly string[];
  } {
    const { plan, start } = this.run;
    const present = plan.score.scorers.filter(({ when }) => plan.current.enter(start, when));
    const scoring = plan.current.enter(start, () => plan.score.scoringOf(present, []));
    if (plan.secondPhase?.how === 'rerank') noStatement(['a rerank runs scorers only on the best candidates']);
    const refusals: string[] = [];
    const scorers: ScorerColumn[] = [];
    const scores = scoring.active.flatMap((active) => {
      const { id } = active.entry;
      const found = this.#rows.attempt('scorer', id, () => {
        if (active.entry.scopes.has('sequence')) throw new Untranslatable('it depends on earlier candidates');
        return translateScorer(this.#target, active, this.#rows.variables);
      });
      if (!found) return [];
      const isTaken = this.table.columns.some(({ name }) => name.toLowerCase() === id.toLowerCase());
      const sql = this.#layers.define(isTaken ? `${id}_score` : id, found.value.sql);
      scorers.push({ id, sql });
      const value = exactNumber(sql, 0);
      this.#rows.scores.set(id, value);
      if (found.refuses !== undefined) refusals.push(`(${sql} IS NULL)`);
      return [{ ...found, value }];
    });
    for (const { entry } of plan.score.scorers) {
      if (!scoring.active.some((one) => one.entry === entry))
        this.#rows.scores.set(entry.id, absentNumber(this.dialect));
    }
    this.#checkTranslated();
    this.#layers.flush('scorers');
    const total = this.#rows.attempt('combine', 'scores', () => this.#combined(scoring, scores));
    this.#checkTranslated();
    const adjusted = this.#adjusted(total!, refusals);
    const score = this.#layers.define('score', adjusted.sql);
    this.#layers.flush('total');
    return { score, scorers, refusals };
  }

  #combined(scoring: Scoring, scores: readonly SqlScore[]): SqlNumber {
    const { score: plan } = this.run.plan;
    // An exact statement adds and divides as the engine does.
    const isWeighted = !this.options.exact && (plan.combine === 'weighted_mean' || plan.combine === 'weighted_sum');
    const { weights, caseWeights } = scoring;
    if (!isWeighted || caseWeights || scores.length === 0 || weights.some((weight) => Number.isNaN(weight))) {
      return combineScores(this.#target, plan, scoring, scores);
    }
    const literal = (value: number): string => numberLiteral(this.dialect, value);
    const terms = scores.map(({ value, maySkip }, k) => {
      const term = `${literal(weights[k]!)} * ${value.sql}`;
      return maySkip ? `coalesce(${term}, 0.0)` : term;
    });
    const sum = `(${terms.join(' + ')})`;
    if (!scores.some(({ maySkip }) => maySkip)) return exactNumber(sum, 0);
    // The weights of absent scores are shared by the others.
    const present = scores.map(({ value }, k) => {
      return `CASE WHEN ${value.sql} IS NULL THEN 0.0 ELSE ${literal(Math.abs(weights[k]!))} END`;
    });
    const all = weights.reduce((whole, weight) => whole + Math.abs(weight), 0);
    const scale = Math.abs(all - 1) < 1e-12 ? '' : ` * ${literal(all)}`;
    return exactNumber(`${sum}${scale} / nullif(${present.join(' + ')}, 0.0)`, 0);
  }

  #adjusted(total: SqlNumber, refusals: string[]): SqlNumber {
    const { adjustments } = this.run.plan.profile;
    return adjustments.reduce((before, rule) => {
      const found = this.#rows.attempt('rule', rule.id, () =>
        translateRule(this.#target, rule, before, this.#rows.variables),
      );
      refusals.push(...(found?.refusals.map(({ where }) => where) ?? []));
      this.#checkTranslated();
      return found!.score;
    }, total);
  }

  /** A statistic of a score over all kept rows of a group. */
  #statistic(which: StatisticOf['which'], score: string): SqlNumber {
    if (which !== 'least' && which !== 'greatest') this.#numbers.differences.add(`${which} is added in any order`);
    const over = (aggregate: string): string => `${aggregate} OVER (${this.#parts()})`;
    const own = `nullif(${score}, CAST('NaN' AS ${this.dialect.types.number}))`; // as the engine, without NaN
    // `least`, `greatest` and `rank` are names of functions.
    const name = which === 'least' ? 'lowest' : which === 'greatest' ? 'highest' : which === 'rank' ? 'place' : which;
    return exactNumber(this.#layers.define(name, this.#aggregate(which, own, over)), 0);
  }

  #aggregate(which: StatisticOf['which'], score: string, over: (aggregate: string) => string): string {
    switch (which) {
      case 'least':
        return over(`min(${score})`);
      case 'greatest':
        return over(`max(${score})`);
      case 'mean':
        return over(`avg(${score})`);
      case 'deviation':
        return over(`stddev_pop(${score})`);
      case 'sample_deviation': // NULL for a single score
        return `coalesce(${over(`stddev_samp(${score})`)}, 0.0)`;
      case 'length':
        return `sqrt(${over(`sum(${score} * ${score})`)})`;
      case 'count':
        return over(`count(${score})`);
      default:
        return `(rank() OVER (${this.#window([`${score} DESC NULLS LAST`])}) + (count(*) OVER (${this.#parts(score)}) - 1) / 2.0)`;
    }
  }

  #window(order: readonly string[], ...parts: readonly string[]): string {
    return `${this.#parts(...parts)} ORDER BY ${order.join(', ')}`.trim();
  }

  /** The rows that a window covers: those of the group, and of the given parts. */
  #parts(...parts: readonly string[]): string {
    const by = [...(this.#group === undefined ? [] : [this.#group]), ...parts];
    return by.length === 0 ? '' : `PARTITION BY ${by.join(', ')}`;
  }

  /** The number of a row among those that the limit per group leaves; its rank if there is no limit. */
  #limitPerGroup(rank: string): string {
    const { per } = this.run.plan.profile.select;
    if (!per) return rank;
    const by = this.#rows.attempt('select', 'per', () => this.#key(per.by));
    this.#checkTranslated();
    const place = this.#layers.define('place', `row_number() OVER (${this.#window([rank], by!)})`);
    this.#layers.flush('placed');
    this.#layers.where('limited', [`(${place} <= ${per.top} OR ${by!} IS NULL)`]);
    const nth = this.#layers.define('nth', `row_number() OVER (${this.#window([rank])})`);
    this.#layers.flush('numbered');
    return nth;
  }

  /** The order of rows with equal scores. */
  #ties(): readonly string[] {
    const { ties = [] } = this.run.plan.profile.select;
    const own = ties.flatMap((key, k) => {
      if (!key) return [];
      const sql = this.#rows.attempt('select', `ties[${k}]`, () => this.#key(key, ['number', 'bool']));
      return sql === undefined ? [] : [`${sql} NULLS LAST`];
    });
    this.#checkTranslated();
    const { orderBy } = this.table;
    return orderBy === undefined ? own : [...own, this.#column(orderBy)];
  }

  #key({ tree }: Expression, kinds: readonly string[] = ['number', 'bool', 'string']): string {
    const t = translator(this.#target, this.#rows.variables);
    const kind = t.kindOf(tree);
    if (kind === undefined || !kinds.includes(kind)) {
      throw new Untranslatable(kind === 'string' ? 'an order of texts has no translation' : 'its type is not known');
    }
    return t.value(tree, kind).sql;
  }

  /** A scorer's column under its id, unless a key has that name. */
  #named(id: string, sql: string, keys: readonly string[]): string {
    const name = this.dialect.identifier(id);
    return name === sql || keys.includes(name) ? sql : `${sql} AS ${name}`;
  }

  /** The column that identifies a row: its id, or the column that orders the rows. */
  #ids(): readonly string[] {
    const { candidate } = this.run.plan.profile;
    const [step] = parsePath(candidate.id?.source ?? 'id');
    const name = step?.kind === 'key' ? step.key : undefined;
    const { columns, orderBy } = this.table;
    const found = [name, orderBy].find((one) => columns.some((column) => column.name === one));
    return found === undefined ? [] : [this.dialect.identifier(found)];
  }

  #column(name: string): string {
    const { columns } = this.table;
    if (columns.some((column) => column.name === name)) return this.dialect.identifier(name);
    return fail(
      'ASZ569',
      `the table has no column ${name}`,
      `it has ${columns.map((column) => column.name).join(', ')}`,
    );
  }

  #checkTranslated(): void {
    const reasons = this.#rows.notes.flatMap(({ part, id, why }) =>
      why === undefined ? [] : [`${part} ${id}: ${why}`],
    );
    if (reasons.length > 0) noStatement(reasons);
  }
}
