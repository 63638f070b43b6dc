import { expect, test } from 'vitest';
import { Prediction, RoomClient } from '../../../src/net/index.ts';
import { RoomsHost } from '../../../src/server/colyseus/host.ts';
import { document } from '../../support/play.ts';

const client = (options: object) => new RoomClient({ url: 'ws://127.0.0.1:1', name: 'Ada', ...options });

test.each([
  ['unknown-input', { kind: 'keydown', key: 'd' }, 'input "keydown". Did you mean "keyDown"?'],
  ['unknown-input', { kind: 'jump' }, 'input "jump". Known: keyDown, keyUp, mouse'],
  ['unknown-input', { kind: 'shutDown' }, 'input "shutDown". Known: keyDown'],
  ['bad-input', { kind: 'chat', txt: 'hello' }, 'The input chat needs the member "text".'],
  [
    'unknown-option',
    { kind: 'keyDown', key: 'd', devise: 'key' },
    'member of the input keyDown "devise". Did you mean "device"?',
  ],
])('a client throws %s when it is asked to send %j', (code, input, message) => {
  expect(() => client({}).send(input as never)).toThrow(
    expect.objectContaining({ name: 'UsageError', code, message: expect.stringContaining(message) }),
  );
});

test('a client refuses a listener for an event that it does not have', () => {
  expect(() => client({}).on('wellcome' as never, () => {})).toThrow(
    expect.objectContaining({
      code: 'unknown-event',
      message: 'There is no event "wellcome". Did you mean "welcome"?',
    }),
  );
});

test.each([
  ['a client', () => client({ tokn: 'x' }), 'option "tokn". Did you mean "token"?'],
  ['a client', () => client({ colour: 'red' }), 'option "colour". Known: url, name, room'],
  [
    'a prediction',
    () => new Prediction(client({}), { definition: {}, jumpPX: 9 } as never),
    'option "jumpPX". Did you mean "jumpPx"?',
  ],
  [
    'a room of Colyseus',
    () => new RoomsHost(document({}), { jurnal: 'off' } as never),
    'option "jurnal". Did you mean "journal"?',
  ],
  [
    'how a room of Colyseus is played',
    () => new RoomsHost(document({}), { play: { sigth: 600 } as never }),
    'option of play "sigth". Did you mean "sight"?',
  ],
])('an unknown option of %s is named, with what was meant', (_what, make, message) => {
  expect(make).toThrow(expect.objectContaining({ code: 'unknown-option', message: expect.stringContaining(message) }));
});
