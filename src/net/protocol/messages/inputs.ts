import { type ByteReader, type ByteWriter, requireKnownOptions, unknownWord } from '../../../../engine/core/index.ts';
import { type Input, UsageError } from '../../../../engine/index.ts';
import {
  data,
  type Field,
  type Fields,
  number,
  oneOf,
  optional,
  readFields,
  text,
  writeFields,
} from '../encoding/fields.ts';

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
  | 'hostModerate'
  | 'announce'
  | 'hostValue'
>;
type WithoutPlayer<I> = I extends Input ? Omit<I, 'player'> : never;
/** An engine input without its player, which is always the sender's. */
export type ClientInput = WithoutPlayer<Extract<Input, { kind: ClientInputKind }>>;

/** The fields for ids of entities, types and dialogues, and for names of keys. */
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
  host: { trigger: id, payload: optional(data) },
} as const satisfies { readonly [K in ClientInputKind]: FieldsOf<K> };

/** Kinds by their number on the wire. */
export const clientInputKinds = Object.keys(clientInputs) as readonly ClientInputKind[];

export function writeInput(writer: ByteWriter, input: ClientInput) {
  writeFields(writer, clientInputs[input.kind], input);
}

/** Reads the fields of an input. Throws `MalformedBytes` and `TooLong`. */
export function readInput(reader: ByteReader, kind: ClientInputKind): ClientInput {
  // Absent members are left out, because the engine's check of inputs distinguishes them from undefined ones.
  const input = { kind };
  readFields(reader, clientInputs[kind], input);
  return input as unknown as ClientInput;
}

/**
 * Throws `UsageError` for an unknown kind of input, and for members that are missing or that its kind does not have.
 */
export function requireClientInput({ kind, ...members }: ClientInput) {
  if (!Object.hasOwn(clientInputs, kind)) throw unknownWord('unknown-input', 'input', kind, clientInputKinds);
  const fields: Fields = clientInputs[kind];
  const missing = Object.keys(fields).find((name) => !fields[name]!.isOptional && !(name in members));
  if (missing !== undefined) throw new UsageError('bad-input', `The input ${kind} needs the member "${missing}".`);
  requireKnownOptions(members, Object.keys(fields), `member of the input ${kind}`);
}

/** Whether clients may send this engine input. */
export function isClientInput(input: Input): input is Extract<Input, { kind: ClientInputKind }> {
  return Object.hasOwn(clientInputs, input.kind) && (input as { readonly player?: string }).player !== undefined;
}
