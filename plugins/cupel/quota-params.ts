import { expression, z } from '../../src/sdk.js';
import { kindKey } from './kind-groups.js';

/** The param that gives the kind of a row. */
export const byParam = () => expression().prefault('candidate.kind').describe('The kind of a row, for its rule.');

/** The requirement and the upper limit of a kind; no limit without `cap`. */
export interface KindRule {
  readonly kind: string;
  readonly require: number;
  readonly cap?: number | undefined;
}

/** A list of at least one rule: none requires more than its cap, and no kind has two, ignoring ASCII case. */
export const kindRules = <S extends z.ZodType<KindRule>>(rule: S) =>
  z
    .array(rule)
    .min(1)
    .superRefine((rules: readonly KindRule[], ctx) => {
      const first = new Map<string, number>();
      for (const [index, { kind, require, cap }] of rules.entries()) {
        if (cap !== undefined && require > cap) {
          const message = `require ${require} is more than cap ${cap}`;
          ctx.addIssue({ code: 'custom', path: [index, 'require'], message });
        }
        const key = kindKey(kind);
        const other = first.get(key);
        if (other === undefined) first.set(key, index);
        else {
          const message = `${kind} has a rule already, as ${rules[other]!.kind} in rule ${other}`;
          ctx.addIssue({ code: 'custom', path: [index, 'kind'], message });
        }
      }
    });

/** The param that names the kind of a rule. */
export const kindParam = () =>
  z.string().regex(/\S/, 'expected a kind, which is not blank').describe('The kind that it is for.');
