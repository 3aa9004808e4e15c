import type { ImagePart, MessageFormat } from './message.js';

/** The size of an image in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** The tokens of an image whose size is unknown: one of 1024 by 1024 for OpenAI, the largest for Anthropic. */
export const UNKNOWN_IMAGE_TOKENS = { openai: 765, anthropic: 1600 } as const;

/** The tokens of a file or a recording. They depend on its pages or its seconds, which its bytes do not tell. */
export const FILE_TOKENS = 3000;

/**
 * The tokens of an image by the formula that its provider documents. For the AI SDK, which sends it to any provider, the
 * larger of both.
 */
export function imageTokens(image: ImagePart, format: MessageFormat): number {
  const size = imageSize(image.data);
  if (format === 'anthropic') return anthropicTokens(size);
  if (format !== 'ai-sdk') return openaiTokens(size, image.detail);
  return Math.max(anthropicTokens(size), openaiTokens(size, image.detail));
}

/**
 * OpenAI: 85 tokens, and with high detail 170 for each tile of 512 pixels, after the image was scaled into a square of
 * 2,048 and its shorter side to 768. `auto` counts as high.
 */
function openaiTokens(size: Size | undefined, detail: unknown): number {
  if (detail === 'low') return 85;
  if (size === undefined) return UNKNOWN_IMAGE_TOKENS.openai;
  const { width, height } = shrink(shrink(size, 2048, Math.max), 768, Math.min);
  return 85 + 170 * Math.ceil(width / 512) * Math.ceil(height / 512);
}

/** Anthropic: a token for 750 pixels, after the longer side was scaled to 1,568; at most about 1,600. */
function anthropicTokens(size: Size | undefined): number {
  if (size === undefined) return UNKNOWN_IMAGE_TOKENS.anthropic;
  const { width, height } = shrink(size, 1568, Math.max);
  return Math.min(UNKNOWN_IMAGE_TOKENS.anthropic, Math.ceil((width * height) / 750));
}

function shrink(size: Size, most: number, side: (a: number, b: number) => number): Size {
  const factor = Math.min(1, most / side(size.width, size.height));
  return { width: size.width * factor, height: size.height * factor };
}

/** The number of bytes in which the size is sought: a JPEG may have a preview before it. */
const HEADER_BYTES = 96 * 1024;

/** The size in the header of a PNG, GIF, JPEG or WebP file; undefined if unknown. */
function imageSize(data: unknown): Size | undefined {
  const bytes = headerBytes(data);
  if (bytes === undefined || bytes.length < 24) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = (width: number, height: number): Size | undefined =>
    width > 0 && height > 0 ? { width, height } : undefined;
  if (view.getUint32(0) === 0x89504e47) return size(view.getUint32(16), view.getUint32(20));
  if (view.getUint32(0) === 0x47494638) return size(view.getUint16(6, true), view.getUint16(8, true));
  if (view.getUint16(0) === 0xffd8) return jpegSize(view);
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250 || bytes.length < 30) return undefined;
  const kind = view.getUint32(12);
  if (kind === 0x56503820) return size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
  if (kind === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return size((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
  }
  const three = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536 + 1;
  return kind === 0x56503858 ? size(three(24), three(27)) : undefined;
}

/** The size in the frame header of a JPEG, after segments that are skipped. */
function jpegSize(view: DataView): Size | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** The first bytes of base64, of a data URL or of bytes. */
function headerBytes(data: unknown): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data.subarray(0, HEADER_BYTES);
  if (data instanceof ArrayBuffer) return new Uint8Array(data, 0, Math.min(data.byteLength, HEADER_BYTES));
  if (typeof data !== 'string' || /^https?:/i.test(data)) return undefined;
  const start = data.startsWith('data:') ? data.indexOf(',') + 1 : 0;
  const text = data.slice(start, start + (HEADER_BYTES / 3) * 4);
  try {
    return Uint8Array.from(atob(text.slice(0, text.length - (text.length % 4) || text.length)), (one) =>
      one.charCodeAt(0),
    );
  } catch {
    return undefined;
  }
}
