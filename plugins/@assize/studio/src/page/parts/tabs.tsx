import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

/** One of several things of which one is shown. */
export interface Tab<Name extends string> {
  readonly name: Name;
  readonly title: string;
  /** Beside the title: how many there are. */
  readonly count?: number | undefined;
}

interface TabsProps<Name extends string> {
  /** What they are of, for those who do not see it. */
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly choose: (name: Name) => void;
  /** Next to the tabs. */
  readonly end?: ComponentChildren;
  /** What the chosen one shows. */
  readonly children: ComponentChildren;
}

/** Tabs, between which the arrows move. */
export function Tabs<Name extends string>({ label, tabs, chosen, choose, end, children }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  const idOf = (name: string) => `${label}-${name}`.replaceAll(' ', '-');
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(({ name }) => name === chosen);
    const next = (at + step + tabs.length) % tabs.length;
    choose(tabs[next]!.name);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div class="tabs-row">
        <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map(({ name, title, count = 0 }) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={idOf(name)}
              aria-selected={name === chosen}
              tabIndex={name === chosen ? 0 : -1}
              onClick={() => choose(name)}
            >
              {title}
              {count > 0 && <span class="badge">{count}</span>}
            </button>
          ))}
        </div>
        {end}
      </div>
      <div key={chosen} class="tab-panel" role="tabpanel" aria-labelledby={idOf(chosen)}>
        {children}
      </div>
    </>
  );
}
