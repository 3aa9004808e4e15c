import type { ExplanationNode } from 'assize/browser';
import { useExpert } from '../parts/expert.js';
import { formatNumber } from '../parts/format.js';
import { inWords } from '../parts/in-words.js';
import { stateText } from './state-words.js';

interface NodeProps {
  readonly node: ExplanationNode;
  /** Of the scorer in the list. */
  readonly colour?: string | undefined;
}

/** A node that opens: its name, its number, and the parts that it is made from. Rendered alike for every kind of node. */
export function NodeView({ node, colour }: NodeProps) {
  const expert = useExpert();
  const { kind, id, text, details } = node;
  const label = node.label ?? (expert ? id : inWords(id));
  if (kind === 'field' || kind === 'note' || kind === 'step') return <li class="part">{text}</li>;
  return (
    <li>
      <details>
        <summary>
          <span class="term">
            {colour && <i style={{ background: colour }} aria-hidden="true" />}
            <b title={id}>{label}</b>
            <small>{arithmeticOf(node)}</small>
            <span class="number">{resultOf(node)}</span>
          </span>
        </summary>
        <div class="noted">
          {text !== '' && <p>{text}</p>}
          {details.length > 0 && (
            <ul class="tree">
              {details.map((detail, k) => (
                <NodeView key={k} node={detail} />
              ))}
            </ul>
          )}
        </div>
      </details>
    </li>
  );
}

const numberIn = (node: ExplanationNode, key: string): number | undefined => {
  const value: unknown = Reflect.get(node, key);
  return typeof value === 'number' ? value : undefined;
};

/** `0.5 → 0.4 × 0.75`: what a scorer gave, the number that counts, and its weight. */
function arithmeticOf(node: ExplanationNode): string {
  const [raw, value, weight] = ['raw', 'value', 'weight'].map((key) => numberIn(node, key));
  if (weight === undefined || value === undefined || numberIn(node, 'contribution') === undefined) return '';
  const given = raw === undefined ? stateText(node.state ?? '') : formatNumber(raw);
  return `${value === raw ? given : `${given} → ${formatNumber(value)}`} × ${formatNumber(weight)}`;
}

function resultOf(node: ExplanationNode): string {
  const number = numberIn(node, 'contribution') ?? numberIn(node, 'value') ?? numberIn(node, 'raw');
  return number === undefined ? stateText(node.state ?? '') : formatNumber(number);
}
