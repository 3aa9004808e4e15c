import type { ComponentChildren } from 'preact';
import type { ChildTerm, EntryTerm, FieldRead, MeasureTerm, RuleTerm, ScorerTerm, VetoTerm } from '../../../browser.js';
import { formatNumber, formatValue } from '../parts/format.js';

interface NodeProps {
  readonly name: string;
  /** Of the scorer in the list. */
  readonly colour?: string;
  /** How its number comes about. */
  readonly how?: string;
  readonly result: string;
  readonly children: ComponentChildren;
}

/** A line that opens: a name, its arithmetic, and what that comes to. */
function TermNode({ name, colour, how, result, children }: NodeProps) {
  return (
    <li>
      <details>
        <summary>
          <span class="term">
            {colour && <i style={{ background: colour }} aria-hidden="true" />}
            <b title={name}>{name}</b>
            <small>{how}</small>
            <span class="number">{result}</span>
          </span>
        </summary>
        {children}
      </details>
    </li>
  );
}

interface ScorerProps {
  readonly name: string;
  readonly colour: string;
  readonly term: ScorerTerm;
  /** The same, with what its class noted. */
  readonly noted: ScorerTerm;
}

/** A scorer: the arithmetic by what is set in the page, and what its class noted. */
export function ScorerNode({ name, colour, term, noted }: ScorerProps) {
  const { raw, value, weight, contribution, state } = term;
  if (raw === undefined && value === undefined) {
    return (
      <TermNode {...{ name, colour }} result={state}>
        <Noted term={noted} />
      </TermNode>
    );
  }
  const given = raw === undefined ? state : formatNumber(raw);
  const counted = value !== undefined && value !== raw ? `${given} → ${formatNumber(value)}` : given;
  const how = weight === undefined || contribution === undefined ? '' : `${counted} × ${formatNumber(weight)}`;
  return (
    <TermNode {...{ name, colour, how }} result={contribution === undefined ? counted : formatNumber(contribution)}>
      <Noted term={noted} />
    </TermNode>
  );
}

/** A veto, or a measure: what it said, and of what. */
export function EntryNode({ name, term }: { readonly name: string; readonly term: VetoTerm | MeasureTerm }) {
  const value = 'value' in term ? term.value : undefined;
  return (
    <TermNode name={name} result={value === undefined ? term.state : formatNumber(value)}>
      <Noted term={term} />
    </TermNode>
  );
}

/** A rule that fired: what it added to the score before it. */
export function RuleNode({ name, term, before }: { name: string; term: RuleTerm; before: number | undefined }) {
  const { when, score, reads, error } = term;
  const by = score === undefined || before === undefined ? undefined : score - before;
  const how = score === undefined ? '' : `to ${formatNumber(score)}`;
  return (
    <TermNode name={name} how={how} result={by === undefined ? term.state : `${by > 0 ? '+' : ''}${formatNumber(by)}`}>
      {when !== undefined && <code>{when}</code>}
      {error !== undefined && <p class="problem">{error}</p>}
      <Reads reads={reads} />
    </TermNode>
  );
}

/** The class or expression of an entry, what it noted and read, and the entries inside it. */
function Noted({ term: { unit, because, notes, error, reads, inside } }: { term: EntryTerm }) {
  return (
    <div class="noted">
      <code>{unit}</code>
      {because !== undefined && <p class="note">{because}</p>}
      {error !== undefined && <p class="problem">{error}</p>}
      {notes.map(({ text }, k) => (
        <p key={k}>{text}</p>
      ))}
      <Reads reads={reads} />
      {inside.length > 0 && (
        <ul class="tree">
          {inside.map((child: ChildTerm, k) => (
            <TermNode
              key={k}
              name={child.unit}
              result={child.raw === undefined ? child.state : formatNumber(child.raw)}
            >
              <Noted term={child} />
            </TermNode>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The fields that were read, with what stood there. */
function Reads({ reads }: { reads: readonly FieldRead[] }) {
  if (reads.length === 0) return null;
  return (
    <dl class="reads">
      {reads.map(({ path, value, summary }) => (
        <div key={path}>
          <dt>{path}</dt>
          <dd>{summary ?? (value === undefined ? 'absent' : formatValue(value))}</dd>
        </div>
      ))}
    </dl>
  );
}
