/*
 * Writes models in the ONNX format, which is protobuf: a field is its number and wire type, then a varint (0) or a
 * length and bytes (2). https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const number = (field: number, value: number) => Buffer.from([...varint(field * 8), ...varint(value)]);
const bytes = (field: number, ...parts: readonly Uint8Array[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(body.length)]), body]);
};
const text = (field: number, value: string) => bytes(field, Buffer.from(value));

/** The types of elements. */
export const [FLOAT, INT64] = [1, 7];
const [INT_ATTRIBUTE, IR_VERSION, OPSET] = [2, 8, 13];

/** An input or output: its name, type and dimensions, those without a size by name. */
export interface Port {
  readonly name: string;
  readonly type: number;
  readonly dims: readonly (string | number)[];
}

function port(field: number, { name, type, dims }: Port): Buffer {
  const sizes = dims.map((dim) => bytes(1, typeof dim === 'number' ? number(1, dim) : text(2, dim)));
  return bytes(field, text(1, name), bytes(2, bytes(1, number(1, type), bytes(2, ...sizes))));
}

/** A constant. */
export function tensor(name: string, dims: readonly number[], data: Float32Array | BigInt64Array): Buffer {
  const type = number(2, data instanceof Float32Array ? FLOAT : INT64);
  const values = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return bytes(5, ...dims.map((dim) => number(1, dim)), type, text(8, name), bytes(9, values));
}

/** One operation of the graph, with the value of each of its attributes. */
export function operation(
  type: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, number>> = {},
): Buffer {
  return bytes(
    1,
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, type),
    ...Object.entries(attributes).map(([name, value]) =>
      bytes(5, text(1, name), number(3, value), number(20, INT_ATTRIBUTE)),
    ),
  );
}

/** A model as the bytes of its file. */
export function onnxModel(graph: {
  readonly operations: readonly Buffer[];
  readonly constants: readonly Buffer[];
  readonly inputs: readonly Port[];
  readonly output: Port;
}): Buffer {
  const inputs = graph.inputs.map((one) => port(11, one));
  const body = bytes(7, ...graph.operations, text(2, 'tiny'), ...graph.constants, ...inputs, port(12, graph.output));
  return Buffer.concat([number(1, IR_VERSION), body, bytes(8, text(1, ''), number(2, OPSET))]);
}
