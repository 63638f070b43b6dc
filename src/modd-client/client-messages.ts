import { type Dictionary, guardJson, isRecord, type JsonLimits } from '../../engine/core/index.ts';
import { type ClientInput, type Decoded, valueDepthMax } from '../net/index.ts';
import { type ClientCommand, clientCommandOf } from './commands.ts';
import { labelOf } from './members.ts';

/** A client's message, translated into the server's terms. */
type ModdioMessage =
  | { readonly kind: 'input'; readonly input: ClientInput }
  | { readonly kind: 'ping'; readonly time: number }
  /** The player has closed the menu and returns to the game. Like 0 in our protocol, it asks for the full state. */
  | { readonly kind: 'ack'; readonly frame: 0 }
  /** A message without effect. */
  | { readonly kind: 'nothing' };

/** The kinds of messages that the limits of the server distinguish. */
type ModdioMessageKind = ClientInput['kind'] | 'ping' | 'ack' | 'nothing';

interface Row {
  readonly kind: ModdioMessageKind;
  /** Reads the data of a command; undefined if it is invalid. */
  read(data: unknown): ModdioMessage | undefined;
}

const nothing: ModdioMessage = { kind: 'nothing' };
const ignored: Row = { kind: 'nothing', read: () => nothing };

function record(data: unknown) {
  return isRecord(data) ? data : undefined;
}

function text(value: unknown, unitsMax: number) {
  return typeof value === 'string' && value.length <= unitsMax ? value : undefined;
}

function idIn(value: unknown) {
  return text(value, 128);
}

function labelIn(value: unknown) {
  const id = idIn(value);
  return id && labelOf(id);
}

/** Reads a number; undefined for anything else. Clients also send numbers as strings. */
function number(value: unknown) {
  const given = typeof value === 'string' && value.trim() !== '' && value.length <= 32 ? Number(value) : value;
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
}

type MembersOf<K> = Omit<Extract<ClientInput, { readonly kind: K }>, 'kind'>;
/** Members as read from the data; undefined where the data is invalid. */
type Read<T> = { readonly [M in keyof T]: T[M] | undefined };

/**
 * A command that stands for an input. `read` receives the members of the data, and the data itself for commands without
 * members.
 */
function input<K extends ClientInput['kind']>(
  kind: K,
  read: (members: Dictionary, data: unknown) => Read<MembersOf<K>>,
): Row {
  return {
    kind,
    read(data) {
      const members = read(record(data) ?? {}, data);
      const isValid = !Object.values(members).includes(undefined);
      return isValid ? { kind: 'input', input: { kind, ...members } as unknown as ClientInput } : undefined;
    },
  };
}

/** The answer of a player to a window of the page. Closing the window has no effect. */
function answer({ kind, read }: Row): Row {
  return {
    kind,
    read(data) {
      const status = record(data)?.['status'];
      return status === 'dismissed' || status === 'cancelled' ? nothing : read(data);
    },
  };
}

/** Reads the key of an input. Clients send the keys of inventory slots as numbers. */
function keyIn({ key, device }: Dictionary) {
  return {
    key: typeof key === 'number' && Number.isInteger(key) ? String(key) : text(key, 32),
    device: (['key', 'mouse'] as const).find((known) => known === device),
  };
}

/** A command of a moderator. Its target is the client id of a player. */
function moderation(action: MembersOf<'moderate'>['action']) {
  return input('moderate', ({ kickuserId }) => ({ action, target: idIn(kickuserId) }));
}

const trades = ['start', 'offer', 'accept', 'cancel'] as const;

const rows: Readonly<Record<ClientCommand, Row>> = {
  playerKeyDown: input('keyDown', keyIn),
  playerKeyUp: input('keyUp', keyIn),
  playerMouseMoved: input('mouse', (_, data) => {
    const [x, y, yaw] = Array.isArray(data) ? data.map(number) : [];
    return { x, y, ...(yaw && { yaw }) };
  }),
  playerAbsoluteAngle: input('absoluteAngle', (_, data) => ({ angle: number(data) })),
  // Only clients that decide the position of their unit send this command. This server does not allow that.
  playerUnitMoved: ignored,
  buyItem: input('buyItem', ({ id }) => ({ type: idIn(id) })),
  buyUnit: input('buyUnit', (_, data) => ({ type: idIn(data) })),
  swapInventory: input('swapItems', ({ from, to }) => ({ from: number(from), to: number(to) })),
  dropItemToCanvas: input('dropItemOnCanvas', ({ itemId }) => ({ item: labelIn(itemId) })),
  playerCustomInput: answer(
    input('customInput', ({ status, inputText }) => ({
      text: status === 'submitted' ? text(inputText, 2000) : undefined,
    })),
  ),
  playerDialogueSubmit: answer(
    input('dialogueOption', ({ dialogue, option }) => ({ dialogue: idIn(dialogue), option: idIn(option) })),
  ),
  htmlUiClick: input('htmlClick', ({ id }) => {
    const element = idIn(id);
    return { element: element === undefined ? undefined : { id: element } };
  }),
  sendDataFromClient: input('data', ({ data }) => ({ data: record(data) })),
  taroChatMsg: input('chat', ({ text: said }) => ({ text: text(said, 1000) })),
  playerClickTradeOption: input('tradeClick', ({ tradeWithUnitId }) => ({ withUnit: labelIn(tradeWithUnitId) })),
  trade: input('trade', ({ type, requestedBy }) => {
    const step = trades.find((known) => known === type);
    return step === 'start' ? { type: step, with: labelIn(requestedBy) } : { type: step };
  }),
  'ban-user': moderation('banUser'),
  'ban-ip': moderation('banIp'),
  'ban-chat': moderation('banFromChat'),
  kick: input('moderate', (_, data) => ({ action: 'kick' as const, target: idIn(data) })),
  ping: {
    kind: 'ping',
    read: (data) => {
      const time = number(record(data)?.['sentAt']);
      return time === undefined ? undefined : { kind: 'ping', time };
    },
  },
  joinGame: { kind: 'ack', read: () => ({ kind: 'ack', frame: 0 }) },
  taroChatJoinRoom: ignored,
};

const quote = 0x22;

/** The command of a message, read from its first bytes; undefined for unknown commands. */
function commandOf(bytes: Uint8Array) {
  const isMessage = bytes[0] === 0x5b && bytes[1] === quote && bytes[3] === quote && bytes[4] === 0x2c;
  return isMessage ? clientCommandOf(bytes[2]!) : undefined;
}

export function moddioKindOf(bytes: Uint8Array): ModdioMessageKind | undefined {
  const command = commandOf(bytes);
  return command && rows[command].kind;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The maximum depth is one more than that of a value, because the data is in a list. The size needs no limit here,
 * because messages that are too long were refused before.
 */
const textLimits: JsonLimits = { bytesMax: Infinity, depthMax: valueDepthMax + 1 };

/** Decodes any bytes into a message, or returns the reason why it cannot. Never throws. */
export function decodeModdio(bytes: Uint8Array): Decoded<ModdioMessage> {
  const command = commandOf(bytes);
  if (command === undefined) return { ok: false, fault: bytes.length === 0 ? 'malformed' : 'unknown-message' };
  let data: unknown;
  try {
    const text = decoder.decode(bytes);
    if (guardJson(text, textLimits).refusal !== undefined) return { ok: false, fault: 'malformed' };
    const given: unknown = JSON.parse(text);
    if (!Array.isArray(given) || given.length > 2) return { ok: false, fault: 'malformed' };
    data = given[1];
  } catch {
    return { ok: false, fault: 'malformed' };
  }
  const message = rows[command].read(data);
  return message === undefined ? { ok: false, fault: 'malformed' } : { ok: true, message };
}
