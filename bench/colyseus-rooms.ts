/**
 * The server of `npm run bench -- colyseus`, for Node 22 and newer: a game as our room, and as a room with Colyseus
 * state.
 */
import { readFileSync } from 'node:fs';
import { type Client, Room, Server } from '@colyseus/core';
import { type MapSchema, schema, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { loadDefinition, Simulation } from '../engine/index.ts';
import { reenactRoom } from '../src/server/colyseus/index.ts';

/** As compact as the types allow: positions in whole pixels, angles in hundredths, attributes as integers. */
const Placed = schema({
  type: t.string(),
  state: t.string(),
  x: t.int16(),
  y: t.int16(),
  angle: t.int16(),
  owner: t.string(),
  attributes: t.map('int32'),
});
const Player = schema({ name: t.string(), type: t.string(), attributes: t.map('int32') });
const Game = schema({
  units: t.map(Placed),
  items: t.map(Placed),
  projectiles: t.map(Placed),
  players: t.map(Player),
  variables: t.map('string'),
});

interface Attributed {
  readonly id: string;
  readonly attributes: Readonly<Record<string, number>>;
}

/** The members of an entity that `reenact/client` has, too. */
interface Body extends Attributed {
  readonly type: string | undefined;
  readonly state: string | undefined;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly owner: { readonly id: string } | undefined;
}

const shown = ['state', 'timeLeft', 'timerMessage', 'round', 'humansLeft', 'zombies', 'candidates', 'victims'];

function copyAttributes(from: Attributed, to: MapSchema<number>): void {
  for (const [key, value] of Object.entries(from.attributes)) {
    const whole = Math.round(value);
    if (to.get(key) !== whole) to.set(key, whole);
  }
}

function mirror<T extends Attributed, S>(
  from: readonly T[],
  to: MapSchema<S>,
  make: () => S,
  copy: (from: T, to: S) => void,
): void {
  const there = new Set<string>();
  for (const entity of from) {
    there.add(entity.id);
    let copied = to.get(entity.id);
    if (copied === undefined) {
      copied = make();
      copy(entity, copied);
      to.set(entity.id, copied);
    } else copy(entity, copied);
  }
  for (const id of [...to.keys()]) if (!there.has(id)) to.delete(id);
}

function copyBody(from: Body, to: InstanceType<typeof Placed>): void {
  to.type = from.type ?? '';
  to.state = from.state ?? '';
  to.x = Math.round(from.x);
  to.y = Math.round(from.y);
  to.angle = Math.round(from.angle * 100);
  to.owner = from.owner?.id ?? '';
  copyAttributes(from, to.attributes);
}

const [file = '', port = ''] = process.argv.slice(2);
const document: unknown = JSON.parse(readFileSync(file, 'utf8'));
const { game } = loadDefinition(document);
if (game === undefined) throw new Error(`${file} is no definition.`);
const loaded = game;

class SchemaRoom extends Room {
  override state = new Game();
  private readonly sim = new Simulation(loaded, { seed: 'side by side' });

  override onCreate(): void {
    this.onMessage('k', (client: Client, [kind, key]: ['keyDown' | 'keyUp', string]) =>
      this.sim.input({ kind, key, player: client.sessionId }),
    );
    this.setFixedTimestep(() => this.step(), this.sim.rate);
    // Set after the simulation interval, which would otherwise be slowed down; the state is sent with each step.
    this.patchRate = null;
  }

  override onJoin(client: Client): void {
    this.sim.input({ kind: 'join', clientId: client.sessionId, name: 'bench' });
  }

  override onLeave(client: Client): void {
    this.sim.input({ kind: 'leave', player: client.sessionId });
  }

  private step(): void {
    const { sim, state } = this;
    sim.step();
    const place = () => new Placed();
    mirror(sim.units(), state.units, place, copyBody);
    mirror(sim.items(), state.items, place, copyBody);
    mirror(sim.projectiles(), state.projectiles, place, copyBody);
    mirror(
      sim.players(),
      state.players,
      () => new Player(),
      (from, to) => {
        to.name = from.name;
        to.type = from.type ?? '';
        copyAttributes(from, to.attributes);
      },
    );
    for (const name of shown) {
      const value = String(sim.variable(name));
      if (state.variables.get(name) !== value) state.variables.set(name, value);
    }
    this.broadcastPatch();
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define('schema', SchemaRoom);
server.define('ours', reenactRoom(document, { seed: 'side by side', log: 'error', play: { variables: shown } }));
await server.listen(Number(port));
process.stdout.write('listening\n');
