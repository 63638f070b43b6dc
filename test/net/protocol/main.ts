/**
 * `npm run differential:stream -- --count 1000 --seed S game.json…`: plays rooms with clients that come, go,
 * acknowledge late or never, and ask for the full state. After each frame, its client is compared with the state of the
 * room. Without games, plays the samples and those of `--games FOLDER`. Prints each difference in one line with the
 * command that reproduces it; exit code 1.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { RandomStream } from '../../../engine/core/random.ts';
import { type LoadedGame, loadDefinition } from '../../../engine/index.ts';
import { differentialOptions } from '../../support/differential-options.ts';
import { type Seat, StreamedRoom } from './streamed-room.ts';

const botCount = 8;
const seatsMax = 6;
/** The sight of clients in plays with limited sight, px. */
const sightPx = 500;

const { seed, ticks, games, keep, numbers, gameOf } = differentialOptions(600);
const loaded = new Map<string, LoadedGame>();

function load(path: string): LoadedGame {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  const { game } = loadDefinition(JSON.parse(readFileSync(path, 'utf8')));
  if (game === undefined) throw new Error(`${path} is no definition.`);
  loaded.set(path, game);
  return game;
}

const totals = { plays: 0, ticks: 0, frames: 0, bytes: 0, compared: 0, newClients: 0, repeated: 0 };

/** Plays a room. Returns the first difference of a client, if there is one. */
function play(game: LoadedGame, random: RandomStream, number: number): string | undefined {
  const sight = random.chance(0.3) ? sightPx : undefined;
  const dialect = random.chance(0.5) ? 'standard' : 'moddio';
  const windowSeconds = random.pick([0.25, 1, 4])!;
  const room = new StreamedRoom(game, `${seed} ${number}`, botCount, {
    dialect,
    windowSeconds,
    ...(sight === undefined ? {} : { sight }),
  });
  const sit = (): void => {
    room.sit(random.chance(0.1) ? 'a spectator' : `bot${random.integer(1, botCount)}`);
    totals.newClients++;
  };
  const acknowledges = ({ player }: Seat): number | undefined => {
    // The third one never acknowledges anything, and is sent the full state again and again.
    const isLost = player === 'bot3' ? random.chance(0.95) : random.chance(0.2);
    return isLost ? undefined : random.integer(0, room.sim.rate);
  };
  sit();
  for (let tick = 0; tick < ticks && !room.sim.ended; tick++) {
    if (room.seats.length < seatsMax && random.chance(0.02)) sit();
    if (random.chance(0.01)) room.leave(random.integer(0, seatsMax));
    const asking = random.chance(0.005) ? random.pick(room.seats) : undefined;
    if (asking !== undefined) {
      room.stream.acknowledge(asking.client, 0);
      totals.repeated++;
    }
    for (const [seat, bytes] of room.step(acknowledges)) {
      totals.frames++;
      totals.bytes += bytes.length;
      // Until a player has a unit, the server chooses where it looks.
      if (sight !== undefined && seat.reader.find(seat.player)?.selectedUnit === undefined) continue;
      totals.compared++;
      const [wrong] = room.differences(seat, sight);
      if (wrong !== undefined) return `${dialect}, tick ${room.sim.tick}, ${seat.player}: ${wrong}`;
    }
    totals.ticks++;
  }
  return undefined;
}

let failed = 0;
for (const number of numbers()) {
  const path = gameOf(number);
  const random = new RandomStream(`stream/${seed}/${basename(path)}/${number}`);
  totals.plays++;
  let failure: string | undefined;
  try {
    failure = play(load(path), random, number);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  if (failure === undefined) continue;
  failed++;
  const again = `npm run differential:stream -- --seed ${seed} --number ${number} --ticks ${ticks} ${path}`;
  process.stdout.write(`${again}  # ${failure}\n`);
  if (!keep) process.exit(1);
}
process.stdout.write(
  `${totals.plays} plays of ${games.length} games, seed ${seed}, ${failed === 0 ? 'no difference' : `${failed} differences`}: ` +
    `${totals.ticks} ticks, ${totals.frames} frames of ${totals.bytes} bytes, ${totals.compared} compared, ${totals.newClients} new clients, ` +
    `${totals.repeated} full states asked for\n`,
);
process.exit(failed === 0 ? 0 : 1);
