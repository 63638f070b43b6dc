import { guardJson, type JsonLimits } from '../../engine/core/index.ts';
import { type ClientInput, type DecodeFault, valueDepthMax } from '../net/index.ts';
import { type ClientCommand, clientCommandOf } from './commands.ts';
import { labelOf } from './members.ts';

/** A client's message, translated into the server's terms. */
type ModdioMessage =
  | { readonly kind: 'input'; readonly input: ClientInput }
  | { readonly kind: 'ping'; readonly time: number }
  /** The player has closed the menu and returns to the game. */
  | { readonly kind: 'again' }
  /** A message without effect. */
  | { readonly kind: 'nothing' };

/** The kind of a message, as the server's limits distinguish them. */
type ModdioMessageKind = ClientInput['kind'] | 'ping' | 'ack' | 'nothing';

type DecodedModdio =
  | { readonly ok: true; readonly message: ModdioMessage }
  | { readonly ok: false; readonly fault: DecodeFault };

interface Row {
  readonly kind: ModdioMessageKind;
  /** Undefined for invalid data. */
  read(data: unknown): ModdioMessage | undefined;
}

const nothing: ModdioMessage = { kind: 'nothing' };
const ignored: Row = { kind: 'nothing', read: () => nothing };

function input(value: ClientInput): ModdioMessage {
  return { kind: 'input', input: value };
}

type Members = { readonly [name: string]: unknown };

function record(data: unknown): Members | undefined {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Members) : undefined;
}

function text(value: unknown, unitsMax: number): string | undefined {
  return typeof value === 'string' && value.length <= unitsMax ? value : undefined;
}

/** Clients also send numbers as strings. */
function number(value: unknown): number | undefined {
  const given = typeof value === 'string' && value.trim() !== '' && value.length <= 32 ? Number(value) : value;
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
}

/** Clients send the keys of inventory slots as numbers. */
function keyOf(data: unknown): { readonly key: string; readonly device: 'key' | 'mouse' } | undefined {
  const { key, device } = record(data) ?? {};
  const name = typeof key === 'number' && Number.isInteger(key) ? String(key) : text(key, 32);
  return name !== undefined && (device === 'key' || device === 'mouse') ? { key: name, device } : undefined;
}

const idUnits = 128;
const trades = ['start', 'offer', 'accept', 'cancel'] as const;

/** The target is a player's client id. */
function moderation(action: Extract<ClientInput, { kind: 'moderate' }>['action']): Row {
  return {
    kind: 'moderate',
    read: (data) => {
      const target = text(record(data)?.['kickuserId'], idUnits);
      return target === undefined ? undefined : input({ kind: 'moderate', action, target });
    },
  };
}

const rows: Readonly<Record<ClientCommand, Row>> = {
  playerKeyDown: {
    kind: 'keyDown',
    read: (data) => {
      const key = keyOf(data);
      return key && input({ kind: 'keyDown', ...key });
    },
  },
  playerKeyUp: {
    kind: 'keyUp',
    read: (data) => {
      const key = keyOf(data);
      return key && input({ kind: 'keyUp', ...key });
    },
  },
  playerMouseMoved: {
    kind: 'mouse',
    read: (data) => {
      if (!Array.isArray(data)) return undefined;
      const [x, y, yaw] = [number(data[0]), number(data[1]), number(data[2])];
      return x === undefined || y === undefined
        ? undefined
        : input({ kind: 'mouse', x, y, ...(yaw === undefined || yaw === 0 ? {} : { yaw }) });
    },
  },
  playerAbsoluteAngle: {
    kind: 'absoluteAngle',
    read: (data) => {
      const angle = number(data);
      return angle === undefined ? undefined : input({ kind: 'absoluteAngle', angle });
    },
  },
  // Only sent by clients that decide where their unit is, which this server lets none do.
  playerUnitMoved: ignored,
  buyItem: {
    kind: 'buyItem',
    read: (data) => {
      const type = text(record(data)?.['id'], idUnits);
      return type === undefined ? undefined : input({ kind: 'buyItem', type });
    },
  },
  buyUnit: {
    kind: 'buyUnit',
    read: (data) => {
      const type = text(data, idUnits);
      return type === undefined ? undefined : input({ kind: 'buyUnit', type });
    },
  },
  swapInventory: {
    kind: 'swapItems',
    read: (data) => {
      const { from, to } = record(data) ?? {};
      const [first, second] = [number(from), number(to)];
      return first === undefined || second === undefined
        ? undefined
        : input({ kind: 'swapItems', from: first, to: second });
    },
  },
  dropItemToCanvas: {
    kind: 'dropItemOnCanvas',
    read: (data) => {
      const item = text(record(data)?.['itemId'], idUnits);
      return item === undefined ? undefined : input({ kind: 'dropItemOnCanvas', item: labelOf(item) });
    },
  },
  playerCustomInput: {
    kind: 'customInput',
    read: (data) => {
      const { status, inputText } = record(data) ?? {};
      if (status === 'dismissed' || status === 'cancelled') return nothing;
      const answer = text(inputText, 2000);
      return status === 'submitted' && answer !== undefined ? input({ kind: 'customInput', text: answer }) : undefined;
    },
  },
  playerDialogueSubmit: {
    kind: 'dialogueOption',
    read: (data) => {
      const { status, dialogue, option } = record(data) ?? {};
      if (status === 'dismissed' || status === 'cancelled') return nothing;
      const [of, chosen] = [text(dialogue, idUnits), text(option, idUnits)];
      return of === undefined || chosen === undefined
        ? undefined
        : input({ kind: 'dialogueOption', dialogue: of, option: chosen });
    },
  },
  htmlUiClick: {
    kind: 'htmlClick',
    read: (data) => {
      const id = text(record(data)?.['id'], idUnits);
      return id === undefined ? undefined : input({ kind: 'htmlClick', element: { id } });
    },
  },
  sendDataFromClient: {
    kind: 'data',
    read: (data) => {
      const members = record(record(data)?.['data']);
      return members && input({ kind: 'data', data: members });
    },
  },
  taroChatMsg: {
    kind: 'chat',
    read: (data) => {
      const said = text(record(data)?.['text'], 1000);
      return said === undefined ? undefined : input({ kind: 'chat', text: said });
    },
  },
  playerClickTradeOption: {
    kind: 'tradeClick',
    read: (data) => {
      const withUnit = text(record(data)?.['tradeWithUnitId'], idUnits);
      return withUnit === undefined ? undefined : input({ kind: 'tradeClick', withUnit: labelOf(withUnit) });
    },
  },
  trade: {
    kind: 'trade',
    read: (data) => {
      const { type, requestedBy } = record(data) ?? {};
      const step = trades.find((known) => known === type);
      if (step === undefined) return undefined;
      const partner = text(requestedBy, idUnits);
      if (step !== 'start') return input({ kind: 'trade', type: step });
      return partner === undefined ? undefined : input({ kind: 'trade', type: 'start', with: labelOf(partner) });
    },
  },
  'ban-user': moderation('banUser'),
  'ban-ip': moderation('banIp'),
  'ban-chat': moderation('banFromChat'),
  kick: {
    kind: 'moderate',
    read: (data) => {
      const target = text(data, idUnits);
      return target === undefined ? undefined : input({ kind: 'moderate', action: 'kick', target });
    },
  },
  ping: {
    kind: 'ping',
    read: (data) => {
      const time = number(record(data)?.['sentAt']);
      return time === undefined ? undefined : { kind: 'ping', time };
    },
  },
  joinGame: { kind: 'ack', read: () => ({ kind: 'again' }) },
  taroChatJoinRoom: ignored,
};

const quote = 0x22;
const head = [0x5b, quote];

/** The command of a message, from its first bytes; undefined for unknown commands. */
function commandOf(bytes: Uint8Array): ClientCommand | undefined {
  const isMessage = bytes[0] === head[0] && bytes[1] === head[1] && bytes[3] === quote && bytes[4] === 0x2c;
  return isMessage ? clientCommandOf(bytes[2]!) : undefined;
}

export function moddioKindOf(bytes: Uint8Array): ModdioMessageKind | undefined {
  const command = commandOf(bytes);
  return command && rows[command].kind;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * One more level for the list around the data. The size needs no limit here, because messages that are too long have
 * been refused before.
 */
const textLimits: JsonLimits = { bytesMax: Number.POSITIVE_INFINITY, depthMax: valueDepthMax + 1 };

/** Decodes any bytes into a message, or says why it cannot. Never throws. */
export function decodeModdio(bytes: Uint8Array): DecodedModdio {
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
