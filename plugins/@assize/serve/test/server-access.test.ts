import { describe, expect, test } from 'vitest';
import { ServerAccess } from '../src/http/access.js';

describe('the names of a server', () => {
  test.each([
    ['shop', 'shop'],
    ['shop:8443', 'shop'],
    ['Shop.Example.ORG:80', 'shop.example.org'],
    ['192.168.0.7:8443', '192.168.0.7'],
    ['[fe80::1]:8443', '[fe80::1]'],
    ['fe80::1', '[fe80::1]'],
  ])('%s allows the host %s with any port', (allowed, host) => {
    const access = new ServerAccess({ host: '127.0.0.1', allowHosts: [allowed] });
    for (const name of [host, `${host}:8443`, `${host}:1`])
      expect(access.sourceRefusal(new Headers({ host: name }))).toBeUndefined();
    expect(access.sourceRefusal(new Headers({ host: `not-${host}` }))?.status).toBe(421);
  });

  test.each(['https://shop', 'shop/path', 'shop:port', 'me@shop', '', 'a b', ':8443'])(
    '%j is not a name',
    (allowed) => {
      expect(() => new ServerAccess({ host: '127.0.0.1', allowHosts: [allowed] })).toThrow(
        /ASZ597|expected the name of a host/,
      );
    },
  );
});
