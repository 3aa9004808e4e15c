/** The name of the element in which the server lists the hosts that images may load from. */
const ELEMENT = 'meta[name="assize-images"]';

/** The hosts that images may load from; a host that starts with `*.` allows its subdomains. */
export function allowedHosts(): readonly string[] {
  const content = document.querySelector(ELEMENT)?.getAttribute('content') ?? '';
  return content.split(' ').filter((host) => host !== '');
}
