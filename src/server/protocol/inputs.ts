import { type ByteReader, type ByteWriter, MalformedBytes } from '../../../engine/core/bytes.ts';
import type { Input } from '../../../engine/index.ts';
import { readFinite, readValue, writeValue } from './value.ts';

/** Inputs that a client may send for its own player. Only the host makes the other kinds of `Input`. */
export type ClientInputKind = Exclude<
  Input['kind'],
  | 'join'
  | 'leave'
  | 'releaseKeys'
  | 'httpAnswer'
  | 'shutDown'
  | 'adResult'
  | 'coinsResult'
  | 'savedData'
  | 'hostModerate'
  | 'announce'
>;
type WithoutPlayer<I> = I extends Input ? Omit<I, 'player'> : never;
/** An engine input without its player, which is always the sender's. */
export type ClientInput = WithoutPlayer<Extract<Input, { kind: ClientInputKind }>>;

/** Thrown for a text that is longer than its field allows. */
export class TooLong extends Error {}

interface Field {
  /** Its form on the wire, as docs/protocol.md shows it; `%` stands for the name of the member. */
  readonly form: string;
  write(writer: ByteWriter, value: unknown): void;
  read(reader: ByteReader): unknown;
}

/** Throws `TooLong` for more than `unitsMax` UTF-16 units. */
export function readText(reader: ByteReader, unitsMax: number): string {
  const text = reader.text();
  if (text.length > unitsMax) throw new TooLong();
  return text;
}

const text = (unitsMax: number): Field => ({
  form: `text % (${unitsMax})`,
  write: (writer, value) => writer.text(value as string),
  read: (reader) => readText(reader, unitsMax),
});
const number: Field = { form: 'number %', write: (writer, value) => writer.number(value as number), read: readFinite };
const data: Field = {
  form: 'value %',
  write: (writer, value) => writeValue(writer, value),
  read: (reader) => readValue(reader),
};
const oneOf = (words: readonly string[]): Field => ({
  form: `byte %: ${words.map((word, index) => `${index} ${word}`).join(', ')}`,
  write: (writer, value) => writer.byte(words.indexOf(value as string)),
  read: (reader) => {
    const word = words[reader.byte()];
    if (word === undefined) throw new MalformedBytes(`Expected one of: ${words.join(', ')}.`);
    return word;
  },
});
/** A byte says whether the field is present. */
const optional = (field: Field): Field => ({
  form: `optional ${field.form}`,
  write: (writer, value) => {
    writer.byte(value === undefined ? 0 : 1);
    if (value !== undefined) field.write(writer, value);
  },
  read: (reader) => {
    const presence = reader.byte();
    if (presence > 1) throw new MalformedBytes('A presence byte must be 0 or 1.');
    return presence === 1 ? field.read(reader) : undefined;
  },
});

/** Ids of entities, types and dialogues, and names of keys. */
const id = text(128);
const key = { key: text(32), device: optional(oneOf(['key', 'mouse'])) };

type FieldsOf<K extends ClientInputKind> = Record<Exclude<keyof Extract<Input, { kind: K }>, 'kind' | 'player'>, Field>;

/** The inputs and their fields, in their order on the wire. New inputs are appended. */
export const clientInputs = {
  keyDown: key,
  keyUp: key,
  mouse: { x: number, y: number, yaw: optional(number) },
  absoluteAngle: { angle: number },
  chat: { text: text(1000) },
  customInput: { text: text(2000) },
  htmlClick: { element: data },
  data: { data },
  buyItem: { type: id },
  buyUnit: { type: id },
  swapItems: { from: number, to: number },
  dialogueOption: { dialogue: id, option: id },
  tradeClick: { withUnit: id },
  dropItemOnCanvas: { item: id },
  trade: { type: oneOf(['start', 'offer', 'accept', 'cancel']), with: optional(id) },
  moderate: {
    action: oneOf(['kick', 'banUser', 'banIp', 'banFromChat', 'unbanFromChat']),
    target: id,
    message: optional(text(500)),
  },
  seen: { tick: number },
} as const satisfies { readonly [K in ClientInputKind]: FieldsOf<K> };

/** Kinds by their number on the wire. */
export const clientInputKinds = Object.keys(clientInputs) as readonly ClientInputKind[];

export function writeInput(writer: ByteWriter, input: ClientInput): void {
  const fields: Readonly<Record<string, Field>> = clientInputs[input.kind];
  const values = input as Readonly<Record<string, unknown>>;
  for (const name in fields) fields[name]!.write(writer, values[name]);
}

/** Throws `MalformedBytes` and `TooLong`. */
export function readInput(reader: ByteReader, kind: ClientInputKind): ClientInput {
  const fields: Readonly<Record<string, Field>> = clientInputs[kind];
  const input: Record<string, unknown> = { kind };
  for (const name in fields) {
    const value = fields[name]!.read(reader);
    // The engine's check of inputs distinguishes an undefined member from an absent one.
    if (value !== undefined) input[name] = value;
  }
  return input as unknown as ClientInput;
}

/** Whether clients may send this engine input. */
export function isClientInput(input: Input): input is Extract<Input, { kind: ClientInputKind }> {
  return Object.hasOwn(clientInputs, input.kind);
}
