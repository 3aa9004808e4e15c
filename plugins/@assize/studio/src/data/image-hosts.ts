const HOST = /^(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/i;

/** Whether a text names a host, such as `cdn.example.com`, `*.example.com` or `localhost:8080`. */
export const isHost = (text: string): boolean => HOST.test(text);

/**
 * The address of an image if it may be loaded; undefined otherwise.
 *
 * @param hosts the allowed hosts; one that starts with `*.` allows its subdomains
 */
export function allowedImage(address: string | undefined, hosts: readonly string[]): string | undefined {
  if (address === undefined) return undefined;
  if (/^data:image\//i.test(address)) return address;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { host } = new URL(address);
  const isAllowed = hosts.some((one) =>
    one.startsWith('*.') ? host.endsWith(one.slice(1).toLowerCase()) : host === one.toLowerCase(),
  );
  return isAllowed ? address : undefined;
}
