import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInput, outputKinds } from '../../../engine/index.ts';
import { words } from '../../../src/net/protocol/encoding/value.ts';
import { closeCodeOf, codeOfClose, codes } from '../../../src/net/protocol/messages/codes.ts';
import { isClientEvent } from '../../../src/net/protocol/messages/event-kinds.ts';
import { type ClientInput, clientInputKinds } from '../../../src/net/protocol/messages/inputs.ts';
import {
  anyClientBytesMax,
  type ClientMessage,
  clientBytesMax,
  clientMessageKind,
  decodeClientMessage,
  decodeServerMessage,
  encodeClientMessage,
  encodeServerMessage,
  protocolVersion,
  type ServerMessage,
} from '../../../src/net/protocol/messages/messages.ts';
import { runs } from '../../support/property.ts';

/** Texts with lone surrogates and anything else that a script or a player can write. */
const text = (unitsMax = 30) => fc.string({ unit: 'binary', maxLength: Math.floor(unitsMax / 2) });
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const count = fc.maxSafeNat();
const json = fc.jsonValue({ maxDepth: 5 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
const optional = <T>(key: string, value: fc.Arbitrary<T>) =>
  fc.oneof(
    fc.constant({}),
    value.map((chosen) => ({ [key]: chosen })),
  );
const joined = (...parts: readonly fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all));

const key = joined(fc.record({ key: text() }), optional('device', fc.constantFrom('key', 'mouse')));
const inputsByKind: Record<string, fc.Arbitrary<object>> = {
  keyDown: key,
  keyUp: key,
  mouse: joined(fc.record({ x: finite, y: finite }), optional('yaw', finite)),
  absoluteAngle: fc.record({ angle: finite }),
  chat: fc.record({ text: text(1000) }),
  customInput: fc.record({ text: text(2000) }),
  htmlClick: fc.record({ element: json }),
  data: fc.record({ data: json }),
  host: joined(fc.record({ trigger: text() }), optional('payload', json)),
  buyItem: fc.record({ type: text() }),
  buyUnit: fc.record({ type: text() }),
  swapItems: fc.record({ from: fc.integer(), to: fc.integer() }),
  dialogueOption: fc.record({ dialogue: text(), option: text() }),
  seen: fc.record({ tick: finite }),
  tradeClick: fc.record({ withUnit: text() }),
  dropItemOnCanvas: fc.record({ item: text() }),
  trade: joined(fc.record({ type: fc.constantFrom('start', 'offer', 'accept', 'cancel') }), optional('with', text())),
  moderate: joined(
    fc.record({
      action: fc.constantFrom('kick', 'banUser', 'banIp', 'banFromChat', 'unbanFromChat'),
      target: text(),
    }),
    optional('message', text(400)),
  ),
};
const inputs = fc.oneof(
  ...clientInputKinds.map((kind) => inputsByKind[kind]!.map((fields) => ({ kind, ...fields }) as ClientInput)),
);

const clientMessages: fc.Arbitrary<ClientMessage> = fc.oneof(
  joined(
    fc.record({ kind: fc.constant('join'), protocol: fc.constant(protocolVersion), name: text(60) }),
    optional('room', text()),
    optional('token', text(1000)),
    optional('resume', text(200)),
  ) as fc.Arbitrary<ClientMessage>,
  joined(
    fc.record({ kind: fc.constant('input'), sequence: count, input: inputs }),
    optional('tick', fc.nat()),
  ) as fc.Arbitrary<ClientMessage>,
  fc.record({ kind: fc.constant('ack' as const), frame: count }),
  fc.record({ kind: fc.constant('ping' as const), time: finite }),
  fc.constant({ kind: 'leave' as const }),
);

const code = fc.constantFrom(...codes);
const eventKinds = outputKinds.filter(isClientEvent);
const serverMessages: fc.Arbitrary<ServerMessage> = fc.oneof(
  fc.record({
    kind: fc.constant('welcome' as const),
    protocol: count,
    room: text(),
    player: text(),
    tick: count,
    rate: finite,
    resume: text(),
    sequence: count,
    slug: text(),
    hash: text(),
  }),
  fc.record({ kind: fc.constant('frame' as const), bytes: fc.uint8Array() }),
  fc.record({
    kind: fc.constant('events' as const),
    tick: count,
    events: fc.array(
      fc.tuple(fc.constantFrom(...eventKinds), fc.dictionary(text(), json)).map(([kind, details]) => {
        const { __proto__: _, ...rest } = details;
        return { ...rest, kind };
      }),
      { maxLength: 4 },
    ),
  }) as fc.Arbitrary<ServerMessage>,
  fc.record({
    kind: fc.constant('inputResults' as const),
    results: fc.array(
      fc.oneof(
        fc.record({ sequence: count, tick: fc.integer({ min: 1, max: 2 ** 40 }) }),
        fc.record({ sequence: count, refused: code }),
      ),
    ),
  }),
  fc.record({ kind: fc.constant('refused' as const), code, text: text() }),
  fc.record({ kind: fc.constant('pong' as const), time: finite, tick: finite }),
  fc.record({ kind: fc.constant('lagCompensation' as const), ms: finite }),
  fc.record({ kind: fc.constant('pace' as const), speed: finite, reason: text() }),
  fc.record({ kind: fc.constant('bye' as const), code }),
  joined(
    fc.record({ kind: fc.constant('motion' as const) }),
    optional('dialect', text()),
    optional('speed', finite),
  ) as fc.Arbitrary<ServerMessage>,
);

/** Bytes that are changed, cut or extended in some places. */
const mutated = (bytes: fc.Arbitrary<Uint8Array>) =>
  fc
    .tuple(
      bytes,
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat(3)), { minLength: 1, maxLength: 6 }),
    )
    .map(([whole, changes]) => {
      let changed = [...whole];
      for (const [where, byte, how] of changes) {
        const at = changed.length === 0 ? 0 : where % changed.length;
        if (how === 0) changed = changed.slice(0, at);
        else changed.splice(at, how === 1 ? 1 : 0, byte);
      }
      return Uint8Array.from(changed);
    });

/** Bytes as clients in other languages write and read them. */
const clientBytes: readonly (readonly [ClientMessage, string])[] = [
  [{ kind: 'join', protocol: 2, name: 'ann', room: 'r1', resume: 'x' }, '010206616e6e0104723100010278'],
  [{ kind: 'ack', frame: 300 }, '02ac02'],
  [{ kind: 'ping', time: 1.5 }, '03fa000000000000f83f'],
  [{ kind: 'leave' }, '04'],
  [{ kind: 'watch', protocol: 2, token: 't' }, '050200010274'],
  [{ kind: 'report', player: 'p1', text: '€' }, '0604703103ac20'],
  [{ kind: 'input', sequence: 7, input: { kind: 'keyDown', key: 'w' } }, '200700027700'],
  [{ kind: 'input', sequence: 8, tick: 0, input: { kind: 'trade', type: 'offer', with: 'p2' } }, '2e08010101047032'],
];
const bucket = { size: 400, perSecond: 90 };
const serverBytes: readonly (readonly [ServerMessage, string])[] = [
  [
    {
      kind: 'welcome',
      protocol: 2,
      room: 'r1',
      player: 'p1',
      tick: 300,
      rate: 20,
      resume: 'x',
      sequence: 0,
      slug: 'g',
      hash: 'h',
    },
    '0102047231047031ac021402780002670268',
  ],
  [{ kind: 'frame', bytes: Uint8Array.of(9, 8) }, '020908'],
  [
    {
      kind: 'events',
      tick: 9,
      events: [
        { kind: 'effect', entityId: 'u12', effect: 'move' },
        { kind: 'sound', soundId: 'a' },
      ],
    },
    '0309020e074749001006011b040261',
  ],
  [
    {
      kind: 'inputResults',
      results: [
        { sequence: 1, tick: 5 },
        { sequence: 2, refused: 'refused' },
      ],
    },
    '04020105020015',
  ],
  [{ kind: 'refused', code: 'banned', text: 'no' }, '050a046e6f'],
  [{ kind: 'pong', time: 1, tick: 2.5 }, '0601fa0000000000000440'],
  [{ kind: 'bye', code: 'left' }, '0722'],
  [
    { kind: 'limits', limits: { messages: bucket, bytes: bucket, large: bucket, inputs: 256 } },
    '08f890035af890035af890035a8002',
  ],
  [{ kind: 'reported', report: 'ab' }, '09046162'],
  [{ kind: 'motion', dialect: 'd' }, '0a01026400'],
  [{ kind: 'lagCompensation', ms: 150 }, '0b96'],
  [{ kind: 'pace', speed: 0.5, reason: 'busy' }, '0cfa000000000000e03f0862757379'],
];

test.each(clientBytes)('a client may write %j as %s', (message, hex) => {
  expect(decodeClientMessage(Uint8Array.from(Buffer.from(hex, 'hex')))).toEqual({ ok: true, message });
  expect(Buffer.from(encodeClientMessage(message)).toString('hex')).toBe(hex);
});

test.each(serverBytes)('a server writes %j as %s', (message, hex) => {
  expect(Buffer.from(encodeServerMessage(message)).toString('hex')).toBe(hex);
  expect(decodeServerMessage(Uint8Array.from(Buffer.from(hex, 'hex')))).toEqual({ ok: true, message });
});

describe('messages of a client', () => {
  test('come back as they were', () => {
    fc.assert(
      fc.property(clientMessages, (message) => {
        const bytes = encodeClientMessage(message);
        expect(decodeClientMessage(bytes)).toEqual({ ok: true, message });
      }),
      runs(500),
    );
  });

  test('have their kind in the first byte', () => {
    fc.assert(
      fc.property(clientMessages, (message) => {
        const kind = clientMessageKind(encodeClientMessage(message).subarray(0, 1));
        expect(kind).toBe(message.kind === 'input' ? message.input.kind : message.kind);
      }),
      runs(200),
    );
  });

  test('contain inputs that the engine accepts with a player added', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const message = decodeClientMessage(encodeClientMessage({ kind: 'input', sequence: 1, input }));
        if (!message.ok || message.message.kind !== 'input') throw new Error('no input');
        expect(isInput({ ...message.message.input, player: 'p1' })).toBe(true);
      }),
      runs(300),
    );
  });

  test('any other bytes are refused with a code, without throwing', () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), mutated(clientMessages.map(encodeClientMessage)));
    fc.assert(
      fc.property(bytes, (some) => {
        const decoded = decodeClientMessage(some);
        if (!decoded.ok) expect(codes).toContain(decoded.fault);
        else expect(decodeClientMessage(encodeClientMessage(decoded.message))).toEqual(decoded);
      }),
      runs(3000),
    );
  });

  test('that are too large for their kind are not decoded', () => {
    const bytes = new Uint8Array(anyClientBytesMax + 1).fill(1);
    for (const message of [
      encodeClientMessage({ kind: 'input', sequence: 1, input: { kind: 'keyDown', key: 'w' } }),
      encodeClientMessage({ kind: 'leave' }),
    ]) {
      const kind = clientMessageKind(message)!;
      const padded = bytes.slice(0, clientBytesMax(kind) + 1);
      padded.set(message);
      expect(decodeClientMessage(padded)).toEqual({ ok: false, fault: 'too-large' });
      expect(decodeClientMessage(padded.subarray(0, -1))).toEqual({ ok: false, fault: 'malformed' });
    }
  });

  test.each([
    [[], 'malformed'],
    [[0], 'unknown-message'],
    [[255, 1, 2], 'unknown-message'],
    [[4, 0], 'malformed'],
    [[2, 255, 255, 255, 255, 255, 255, 255, 255, 255], 'malformed'],
    // A name of 100 units.
    [[1, 1, 200, 1, ...new Array(100).fill(65), 0, 0, 0], 'too-long'],
    // Lists nested 40 deep.
    [[39, 1, 0, ...new Array(80).fill(0).map((_, i) => (i % 2 === 0 ? 5 : 1)), 0], 'malformed'],
    // A list that claims 2^40 members.
    [[39, 1, 0, 5, 128, 128, 128, 128, 128, 32], 'malformed'],
    // An object with the member `__proto__`.
    [[39, 1, 0, 6, 1, 0, 18, ...new TextEncoder().encode('__proto__'), 6, 0], 'malformed'],
    // A key that is not finite.
    [[34, 1, 0, 250, 0, 0, 0, 0, 0, 0, 240, 127, 0, 0], 'malformed'],
  ])('%j is %s', (bytes, fault) => {
    expect(decodeClientMessage(Uint8Array.from(bytes as number[]))).toEqual({ ok: false, fault });
  });
});

describe('messages of a server', () => {
  test('come back as they were', () => {
    fc.assert(
      fc.property(serverMessages, (message) => {
        expect(decodeServerMessage(encodeServerMessage(message))).toEqual({ ok: true, message });
      }),
      runs(500),
    );
  });

  test.each([
    ['lists', (inner: unknown) => [inner]],
    ['objects', (inner: unknown) => ({ inner })],
  ])('events are 32 levels deep with the %s in them; what is deeper is null', (_what, around) => {
    const nested = (depth: number, leaf: unknown) => Array.from({ length: depth }).reduce(around, leaf);
    const message = (value: unknown) =>
      ({ kind: 'events', tick: 1, events: [{ kind: eventKinds[0]!, value }] }) as unknown as ServerMessage;
    const sent = (value: unknown) => decodeServerMessage(encodeServerMessage(message(value)));
    expect(sent(nested(31, 7))).toEqual({ ok: true, message: message(nested(31, 7)) });
    expect(sent(nested(32, 7))).toEqual({ ok: true, message: message(nested(31, null)) });
  });

  test('any other bytes are refused with a code, without throwing', () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), mutated(serverMessages.map(encodeServerMessage)));
    fc.assert(
      fc.property(bytes, (some) => {
        const decoded = decodeServerMessage(some);
        if (!decoded.ok) expect(codes).toContain(decoded.fault);
      }),
      runs(3000),
    );
  });

  test('a code that only a newer version knows is unknown and the message is read', () => {
    expect(decodeServerMessage(Uint8Array.of(7, 250))).toEqual({ ok: true, message: { kind: 'bye', code: 'unknown' } });
  });

  test('an event of a newer version is skipped', () => {
    const bytes = encodeServerMessage({ kind: 'events', tick: 9, events: [{ kind: 'sound', soundId: 'a' }] });
    bytes[3] = 200;
    expect(decodeServerMessage(bytes)).toEqual({ ok: true, message: { kind: 'events', tick: 9, events: [] } });
  });
});

test('an event with known words takes few bytes', () => {
  const event = { kind: 'effect', entityId: 'u17', effect: 'move' } as const;
  expect(encodeServerMessage({ kind: 'events', tick: 900, events: [event] }).length).toBeLessThan(20);
  expect(new Set(words).size).toBe(words.length);
});

test('each code has its own close code, which converts back to it', () => {
  for (const each of codes) expect(codeOfClose(closeCodeOf(each))).toBe(each);
  expect(codeOfClose(1006)).toBeUndefined();
});

test.each([1, protocolVersion + 1])(
  'a wish of version %i is known as one, whatever stands behind its first fields',
  (protocol) => {
    const join = encodeClientMessage({ kind: 'join', protocol, name: 'ann' });
    const watch = encodeClientMessage({ kind: 'watch', protocol });
    const others = (bytes: Uint8Array, from: number) => new Uint8Array([...bytes.subarray(0, from), 9, 8, 7]);
    const message = { kind: 'join', protocol, name: 'ann' };
    expect(decodeClientMessage(others(join, join.length - 3))).toEqual({ ok: true, message });
    expect(decodeClientMessage(others(watch, 2))).toEqual({ ok: true, message: { kind: 'watch', protocol } });
    expect(decodeClientMessage(others(encodeClientMessage({ kind: 'watch', protocol: protocolVersion }), 2)).ok).toBe(
      false,
    );
  },
);
