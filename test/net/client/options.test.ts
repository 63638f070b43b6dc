import { expect, test } from 'vitest';
import { Prediction, RoomClient } from '../../../src/net/index.ts';
import { RoomsHost } from '../../../src/server/colyseus/host.ts';
import { document } from '../../support/play.ts';

const client = (options: object) => new RoomClient({ url: 'ws://127.0.0.1:1', name: 'Ada', ...options });

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
