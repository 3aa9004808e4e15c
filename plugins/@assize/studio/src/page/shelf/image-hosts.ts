/** The name of the element in which the server lists the hosts that images may load from. */
const ELEMENT = 'meta[name="assize-images"]';

let hosts: readonly string[] | undefined;

/** The hosts that images may load from; a host that starts with `*.` allows its subdomains. */
export function allowedHosts(): readonly string[] {
  hosts ??= (document.querySelector(ELEMENT)?.getAttribute('content') ?? '').split(' ').filter((host) => host !== '');
  return hosts;
}
