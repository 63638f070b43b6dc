import { type Entity, noEntity, rowOf } from '../world/entity.ts';
import { playerByClientId } from './input.ts';
import type { Simulation } from './simulation.ts';

/** A player as a test, a bot or a server holds it: what it does takes effect in the next step. */
export class PlayerHandle {
  readonly clientId: string;
  private readonly sim: Simulation;

  constructor(sim: Simulation, clientId: string) {
    this.sim = sim;
    this.clientId = clientId;
  }

  /** The player's entity; 0 before it has joined and after it has left. */
  get entity(): Entity {
    return playerByClientId(this.sim.game, this.clientId);
  }

  /** The unit that gets the player's keys; 0 for none. */
  get unit(): Entity {
    const { entity } = this;
    return entity === noEntity ? noEntity : this.sim.world.players[rowOf(entity)]!.selectedUnit;
  }

  press(key: string): void {
    this.sim.input({ kind: 'keyDown', player: this.clientId, key });
  }

  release(key: string): void {
    this.sim.input({ kind: 'keyUp', player: this.clientId, key });
  }

  /** World px. */
  pointAt(x: number, y: number): void {
    this.sim.input({ kind: 'mouse', player: this.clientId, x, y });
  }

  say(text: string): void {
    this.sim.input({ kind: 'chat', player: this.clientId, text });
  }

  /** Answers an input box. */
  answer(text: string): void {
    this.sim.input({ kind: 'customInput', player: this.clientId, text });
  }

  leave(): void {
    this.sim.input({ kind: 'leave', player: this.clientId });
  }
}
