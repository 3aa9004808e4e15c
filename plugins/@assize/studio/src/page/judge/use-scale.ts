import { useMemo, useState } from 'preact/hooks';
import type { Judging } from './judging.js';
import { type Scale, scaleOf, scaleTo } from './scale.js';

const keyOf = (title: string): string => `assize-studio-scale:${title}`;

/** Reads the scale of the grades when it is needed, and how to choose another; the choice is kept in the browser. */
export function useScale(
  title: string,
  judging: Judging | undefined,
  version: unknown,
): readonly [scale: () => Scale | undefined, choose: (most: number) => void] {
  const [own, setOwn] = useState(() => stored(title));
  const found = useMemo(() => {
    let scale: { readonly is: Scale | undefined } | undefined;
    return () => {
      scale ??= { is: judging && scaleOf(judging.allGrades, judging.hasOtherGrades) };
      return scale.is;
    };
  }, [judging, version]);
  const choose = (most: number): void => {
    setOwn(most);
    try {
      localStorage.setItem(keyOf(title), String(most));
    } catch {
      // The browser does not let this page store anything.
    }
  };
  return [() => (own !== undefined && found() ? scaleTo(own) : found()), choose];
}

function stored(title: string): number | undefined {
  try {
    const most = Number(localStorage.getItem(keyOf(title)));
    return Number.isInteger(most) && most >= 1 && most <= 9 ? most : undefined;
  } catch {
    return undefined;
  }
}
