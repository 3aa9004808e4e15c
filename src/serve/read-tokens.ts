import { toAssizeError } from '../base/index.js';
import { isMap } from '../expression/index.js';
import { parseYaml } from '../profile/index.js';
import { readSourceFile } from '../data/node.js';
import type { AccessToken } from './access.js';

/** The most tokens in a file. */
const MAX_TOKENS = 10_000;

/**
 * The tokens of a server: one for everything, and those of a file that maps each tenant to a token or a list of tokens.
 *
 * @throws AssizeError (ASZ597) if the file has another form; problems do not contain tokens
 */
export async function readTokens(file: string | undefined, ofAll: string | undefined): Promise<readonly AccessToken[]> {
  const all = ofAll ? [{ token: ofAll }] : [];
  if (file === undefined) return all;
  const { data, problems } = parseYaml(await readSourceFile(file), { values: MAX_TOKENS });
  const [first] = problems;
  if (first)
    throw toAssizeError([{ code: 'ASZ597', message: `${file} is not YAML`, ...(first.place && { path: file }) }]);
  const found = isMap(data) ? Object.entries(data).flatMap(([tenant, value]) => tokensOf(tenant, value)) : [];
  if (found.length > 0 && !found.includes(undefined)) return [...all, ...found.filter((one) => one !== undefined)];
  const hint = 'write { acme: TOKEN, bolt: [TOKEN, TOKEN] }';
  throw toAssizeError([{ code: 'ASZ597', message: `${file} is not a map from tenants to tokens`, hint }]);
}

/** The tokens of a tenant; undefined in place of an invalid one. */
const tokensOf = (tenant: string, value: unknown): readonly (AccessToken | undefined)[] =>
  (Array.isArray(value) ? value : [value]).map((token: unknown) =>
    typeof token === 'string' ? { tenant, token } : undefined,
  );
