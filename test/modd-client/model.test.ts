import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type LoadedGame, loadDefinition, type OutputEvent, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import { handshakeFrames } from '../../src/modd-client/frames.ts';
import { EntityStream } from '../../src/modd-client/stream.ts';
import { destinationOf } from '../../src/net/protocol/audience/destination.ts';
import { ServedDefinition } from '../../src/server/definitions/served.ts';
import { isLong } from '../support/property.ts';
import { realGamePath, realGames, someRealGames } from '../support/real-games.ts';
import { differences, pictureOf } from './expected.ts';
import { ModelClient } from './model-client.ts';

const samples = 'scenarios/games';

function files(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [`${folder}/${name}`] : []));
  } catch {
    return [];
  }
}

/** Plays a game with bots, and three clients: one from the start, one that joins later, and one that reconnects. */
function play(
  file: string,
  seconds: number,
): { readonly clients: readonly ModelClient[]; readonly problems: string[] } {
  const text = readFileSync(file, 'utf8');
  const served = ServedDefinition.of(text, 'game')!;
  const { data } = JSON.parse(served.forModdio('moddio').json) as { data: unknown };
  const outputs: OutputEvent[] = [];
  const sim = new Simulation(game(text), { seed: 1, dialect: 'moddio', onOutput: (event) => outputs.push(event) });
  const bots = new Bots(sim, { count: 4, seed: '1' });
  for (let i = 0; i < sim.rate; i++) {
    bots.beforeStep();
    sim.step();
  }
  let now = 0;
  const stream = new EntityStream(sim, { timeMs: () => (now += 50) });
  const problems: string[] = [];
  const seats = ['bot1', 'bot2', 'bot3'].map((player) => ({
    player,
    model: new ModelClient(data),
    client: stream.add(player),
  }));
  const [, late, lost] = seats;
  stream.remove(late!.client);
  const ticks = Math.round(seconds * sim.rate);
  let shownTo = [seats[0]!, lost!];
  for (let i = 0; i < ticks && problems.length === 0; i++) {
    bots.beforeStep();
    outputs.length = 0;
    sim.step();
    if (i === Math.round(ticks * 0.3)) {
      late!.client = stream.add(late!.player);
      shownTo = [...shownTo, late!];
    }
    if (i === Math.round(ticks * 0.5)) {
      stream.remove(lost!.client);
      shownTo = shownTo.filter((seat) => seat !== lost);
    }
    if (i === Math.round(ticks * 0.8)) {
      lost!.client = stream.add(lost!.player, true);
      shownTo = [...shownTo, lost!];
    }
    const events = { forAll: [] as OutputEvent[], forPlayers: new Map<string, OutputEvent[]>() };
    for (const event of outputs) {
      const to = destinationOf(sim, event);
      if (to === 'everyone') events.forAll.push(event);
      else if (to !== 'host')
        for (const id of to) events.forPlayers.set(id, [...(events.forPlayers.get(id) ?? []), event]);
    }
    for (const [client, bytes] of stream.frames(events)) {
      const seat = shownTo.find((each) => each.client === client);
      if (seat === undefined) throw new Error('A frame is for a client that is gone.');
      if (seat.model.commands === undefined) greet(seat.model, seat.player);
      seat.model.receive(new TextDecoder().decode(bytes));
    }
    const picture = pictureOf(sim);
    for (const { model, player } of shownTo) {
      problems.push(...differences(picture, model, player).map((problem) => `tick ${sim.tick}, ${player}: ${problem}`));
    }
  }
  return { clients: seats.map(({ model }) => model), problems };
}

function game(text: string): LoadedGame {
  return loadDefinition(JSON.parse(text)).game!;
}

function greet(model: ModelClient, player: string): void {
  for (const frame of handshakeFrames(player, 0)) model.receive(new TextDecoder().decode(frame));
}

describe('a client of the original engine holds what the simulation holds, after every tick', () => {
  test.each(files(samples))('%s', { timeout: 120_000 }, (file) => {
    const { clients, problems } = play(file, isLong ? 20 : 8);
    expect(problems.slice(0, 10)).toEqual([]);
    for (const { joined, selectedUnit } of clients) expect([joined, selectedUnit !== undefined]).toEqual([true, true]);
  });

  test.skipIf(realGames.length === 0).each(someRealGames(4))('%s', { timeout: 240_000 }, (file) => {
    const { problems } = play(realGamePath(file), isLong ? 8 : 6);
    expect(problems.slice(0, 10)).toEqual([]);
  });
});
