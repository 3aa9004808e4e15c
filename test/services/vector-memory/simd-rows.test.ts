import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import loadWabt from 'wabt';
import { SIMD_ROWS_WASM } from '../../../src/services/vector-memory/vector-block.js';

const file = fileURLToPath(new URL('../../../src/services/vector-memory/simd-rows.wat', import.meta.url));

test('simd-rows.wat assembles to the bytes of the kernel', async () => {
  const wabt = await loadWabt();
  const module = wabt.parseWat(file, readFileSync(file, 'utf8'), { simd: true });
  const { buffer } = module.toBinary({});
  expect(Buffer.from(buffer).toString('base64')).toBe(SIMD_ROWS_WASM);
});
