import { enlarged } from '../core/enlarged.ts';

/** The commands that can wait for a body. */
export const BodyCommand = {
  velocity: 1,
  force: 2,
  impulse: 3,
  torque: 4,
  angularVelocity: 5,
  place: 6,
  turn: 7,
} as const;
export type BodyCommand = (typeof BodyCommand)[keyof typeof BodyCommand];

/**
 * Maximum number of queued commands per entity. When the queue is full, only a placement (`BodyCommand.place`) is still
 * queued (reference: tick#physics-update).
 */
const queueMax = 10;
/** Consecutive placements are merged, so at most one command exceeds `queueMax`. */
export const commandsMax = queueMax + 1;
/** Which of several consecutive placements takes effect. */
export type QueuedPlacement = 'first' | 'last';
/** The number of elements per command in a queue: the command, x, y. */
export const numbersPerCommand = 3;

/**
 * Commands for bodies that do not exist yet or cannot be changed now: a short queue per entity row, which is reused.
 */
export class CommandQueues {
  private counts = new Uint8Array(0);
  private readonly commands: (Float64Array | undefined)[] = [];

  constructor(private readonly placement: QueuedPlacement) {}

  /** Makes room for `rows` rows. */
  reserve(rows: number): void {
    this.counts = enlarged(this.counts, rows);
  }

  count(row: number): number {
    return this.counts[row]!;
  }

  add(row: number, command: BodyCommand, x: number, y: number): void {
    const count = this.counts[row]!;
    if (command !== BodyCommand.place) {
      if (count < queueMax) this.addNumbers(row, command, x, y);
      return;
    }
    const last = (count - 1) * numbersPerCommand;
    const commands = this.commands[row]!;
    if (count === 0 || commands[last] !== BodyCommand.place) {
      this.addNumbers(row, command, x, y);
    } else if (this.placement === 'last') {
      commands[last + 1] = x;
      commands[last + 2] = y;
    }
  }

  /** Adds a command without merging placements or checking the limit, for example one from a snapshot. */
  addNumbers(row: number, command: number, x: number, y: number): void {
    const count = this.counts[row]!;
    let commands = this.commands[row];
    if (commands === undefined) {
      commands = new Float64Array(commandsMax * numbersPerCommand);
      this.commands[row] = commands;
    }
    commands[count * numbersPerCommand] = command;
    commands[count * numbersPerCommand + 1] = x;
    commands[count * numbersPerCommand + 2] = y;
    this.counts[row] = count + 1;
  }

  /** Removes all commands of a row; returns their numbers: command, x, y; command, x, y … */
  take(row: number): Float64Array {
    this.counts[row] = 0;
    return this.commands[row]!;
  }

  /** Lists the commands of a row without removing them. */
  list(row: number): { act: number; x: number; y: number }[] {
    return Array.from({ length: this.counts[row]! }, (_, i) => {
      const [act, x, y] = this.commands[row]!.subarray(i * numbersPerCommand);
      return { act: act!, x: x!, y: y! };
    });
  }

  clear(row: number): void {
    this.counts[row] = 0;
  }
}
