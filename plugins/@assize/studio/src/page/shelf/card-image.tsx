import { useState } from 'preact/hooks';
import { allowedImage } from '../../data/image-hosts.js';

/** The name of the element in which the server lists the hosts that images may load from. */
const ELEMENT = 'meta[name="assize-images"]';

let hosts: readonly string[] | undefined;

/** The hosts that images may load from; a host that starts with `*.` allows its subdomains. */
export function allowedHosts(): readonly string[] {
  hosts ??= (document.querySelector(ELEMENT)?.getAttribute('content') ?? '').split(' ').filter((host) => host !== '');
  return hosts;
}

interface ImageProps {
  readonly address: string | undefined;
  readonly title: string;
}

/** The image of a candidate; its initials if it is missing, not allowed or broken. */
export function CardImage({ address, title }: ImageProps) {
  const [broken, setBroken] = useState<string | undefined>(undefined);
  const source = allowedImage(address, allowedHosts());
  if (source === undefined || source === broken) {
    return (
      <span class="picture initials" aria-hidden="true">
        {initialsOf(title)}
      </span>
    );
  }
  return (
    <span class="picture">
      <img
        src={source}
        alt=""
        loading="lazy"
        decoding="async"
        referrerpolicy="no-referrer"
        onError={() => setBroken(source)}
      />
    </span>
  );
}

/** The first letters of the first two words. */
const initialsOf = (title: string): string =>
  (title.match(/[\p{L}\p{N}]+/gu) ?? [])
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0)!))
    .join('')
    .toUpperCase();
