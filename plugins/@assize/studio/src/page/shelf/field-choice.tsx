import { Menu } from '../parts/menu.js';
import type { Cards } from './use-card-fields.js';

/** The fields that cards show: a title, up to two more, and an image. */
export function FieldChoice({ cards: { fields, chosen, choose, refusedHost } }: { readonly cards: Cards }) {
  const [first, second] = chosen.subtitle;
  const names = fields.map(({ name }) => name);
  const subtitle = (parts: readonly (string | undefined)[]) =>
    choose({ ...chosen, subtitle: parts.filter((name): name is string => name !== undefined) });
  return (
    <Menu title="Card">
      <Choice
        title="Title"
        none="the id"
        value={chosen.title}
        {...{ names }}
        set={(title) => choose({ ...chosen, title })}
      />
      <Choice title="Subtitle" none="nothing" value={first} {...{ names }} set={(name) => subtitle([name, second])} />
      <Choice
        title="Second subtitle"
        none="nothing"
        value={second}
        {...{ names }}
        set={(name) => subtitle([first, name])}
      />
      <Choice
        title="Image"
        none="no images"
        value={chosen.image}
        {...{ names }}
        set={(image) => choose({ ...chosen, image })}
      />
      {refusedHost !== undefined && (
        <p class="note">
          Images of {refusedHost} are not loaded. To allow them, start assize studio with{' '}
          <code>--images {refusedHost}</code>.
        </p>
      )}
    </Menu>
  );
}

interface ChoiceProps {
  readonly title: string;
  /** What no field means. */
  readonly none: string;
  readonly names: readonly string[];
  readonly value: string | undefined;
  readonly set: (name: string | undefined) => void;
}

function Choice({ title, none, names, value, set }: ChoiceProps) {
  return (
    <label class="field-choice">
      <span>{title}</span>
      <select
        aria-label={title}
        value={value ?? ''}
        onChange={({ currentTarget }) => set(currentTarget.value || undefined)}
      >
        <option value="">{none}</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
