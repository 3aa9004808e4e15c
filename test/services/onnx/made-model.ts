/** A part of an ONNX graph by its shape: each dimension a number, or a name if it is any. */
export interface MadeValue {
  readonly name: string;
  /** 1 float, 7 int64, 11 double. */
  readonly type?: number;
  readonly shape: readonly (number | string)[];
}

/** One operation of a graph, without attributes. */
export interface MadeNode {
  readonly operation: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** The bytes of a model in the ONNX format (onnx.proto, IR version 8, operators of version 13). */
export function madeModel(
  nodes: readonly MadeNode[],
  inputs: readonly MadeValue[],
  outputs: readonly MadeValue[],
): Uint8Array {
  const graph = message(
    ...nodes.map(({ operation, inputs: from, outputs: to }) =>
      field(
        1,
        message(...from.map((name) => field(1, name)), ...to.map((name) => field(2, name)), field(4, operation)),
      ),
    ),
    field(2, 'made'),
    ...inputs.map((value) => field(11, valueInfo(value))),
    ...outputs.map((value) => field(12, valueInfo(value))),
  );
  return message(field(1, 8), field(7, graph), field(8, message(field(1, ''), field(2, 13))));
}

function valueInfo({ name, type = 1, shape }: MadeValue): Uint8Array {
  const dimensions = shape.map((size) =>
    field(1, typeof size === 'number' ? message(field(1, size)) : message(field(2, size))),
  );
  return message(
    field(1, name),
    field(2, message(field(1, message(field(1, type), field(2, message(...dimensions)))))),
  );
}

const message = (...fields: readonly Uint8Array[]): Uint8Array => Uint8Array.from(fields.flatMap((one) => [...one]));

/** A field of Protocol Buffers: a number below 128, or bytes with their length before them. */
function field(number: number, value: number | string | Uint8Array): Uint8Array {
  if (typeof value === 'number') return Uint8Array.of(number << 3, value);
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  const { length } = bytes;
  const size = length < 128 ? [length] : [(length & 127) | 128, length >> 7];
  return Uint8Array.of((number << 3) | 2, ...size, ...bytes);
}
