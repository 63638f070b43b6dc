import { type Journal, type LoadedGame, Replay, triggerTypes } from '../../engine/index.ts';
import { leavesOf } from '../../engine/internal.ts';
import { ExpressionError } from '../expression/expression-error.ts';
import { ask, partLines } from '../expression/question.ts';
import { GameSource } from '../expression/source.ts';

export interface DebuggerPorts {
  readonly input: AsyncIterable<Uint8Array>;
  readonly write: (text: string) => unknown;
}

interface Break {
  readonly name: string;
  /** Asked after each tick. */
  holds(): boolean;
  /** What there is when it holds, a line each. */
  found(): readonly string[];
}

const commands = 'step, back, goto, run, break, breaks, clear, inspect, where, help, quit';

/** What one `inspect` shows at most. */
const shownMax = 200;

/** A journal to step through. Commands are lines; an unknown one is answered, never an error. Ends with `quit` or the input. */
export async function debug(loaded: LoadedGame, journal: Journal, { input, write }: DebuggerPorts): Promise<void> {
  const session = new Debugger(loaded, journal);
  write(`${session.where()}\n`);
  for await (const line of linesOf(input)) {
    if (line === 'quit' || line === 'exit') return;
    if (line !== '') write(`${session.answer(line)}\n`);
  }
}

export class Debugger {
  private readonly replay: Replay;
  private readonly source: GameSource;
  private breaks: Break[] = [];
  /** Triggers that fired in the last tick. */
  private readonly fired = new Set<string>();

  constructor(loaded: LoadedGame, journal: Journal) {
    this.replay = new Replay(loaded, journal, { observer: (trigger) => this.fired.add(trigger) });
    const first = this.replay.sim;
    this.source = new GameSource(loaded, journal.head.dialect, {
      playing: () => this.replay.sim,
      players: [...journal.inputs.values()]
        .flat()
        .flatMap((input) => (input.kind === 'join' ? (input.clientId ?? []) : [])),
      // Snapshots hold the state of a game, and not what has happened in it.
      uncounted: () =>
        this.replay.sim === first && journal.head.tick === 0
          ? undefined
          : 'what happened before a snapshot is not counted; start again and run to here',
    });
  }

  /** Does what a line says and tells what came of it. */
  answer(line: string): string {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    const argument = rest.join(' ');
    switch (word) {
      case 'step':
      case 's':
        return this.move(argument, 1);
      case 'back':
      case 'b':
        return this.move(argument, -1);
      case 'goto':
        return /^\d+$/.test(argument) ? this.go(Number(argument)) : 'goto needs a tick';
      case 'run':
      case 'r':
        return this.run();
      case 'break':
        return this.addBreak(argument);
      case 'breaks':
        return this.breaks.map(({ name }) => name).join('\n') || 'no breaks';
      case 'clear':
        this.breaks = [];
        return 'no breaks';
      case 'inspect':
      case 'i':
        return this.inspect(argument);
      case 'where':
        return this.where();
      case 'help':
        return commands;
      default:
        return `unknown command "${word}": ${commands}`;
    }
  }

  where(): string {
    const { sim, journal } = this.replay;
    const difference = this.replay.difference();
    const not = difference === undefined ? '' : ' (not as recorded)';
    return `tick ${sim.tick} of ${journal.lastTick}, ${(sim.nowMs / 1000).toFixed(2)} s, ${sim.hash()}${not}${sim.ended ? ', the game has ended' : ''}`;
  }

  private move(argument: string, direction: 1 | -1): string {
    if (!/^\d*$/.test(argument)) return `"${argument}" is no number of ticks`;
    return this.go(Math.max(0, this.replay.tick + direction * Number(argument === '' ? 1 : argument)));
  }

  private go(tick: number): string {
    const { head, lastTick } = this.replay.journal;
    const wanted = Math.max(head.tick, Math.min(lastTick, tick));
    this.fired.clear();
    this.replay.seek(wanted);
    return this.where();
  }

  private run(): string {
    while (!this.replay.isAtEnd) {
      this.fired.clear();
      this.replay.step();
      const met = this.breaks.filter((each) => each.holds());
      if (met.length > 0) {
        const found = met.flatMap((each) => each.found().map((line) => `\n  ${line}`)).join('');
        return `${this.where()}\nbreak: ${met.map(({ name }) => name).join(', ')}${found}`;
      }
    }
    return `${this.where()}\nthe end`;
  }

  private addBreak(argument: string): string {
    if (argument === '') return 'break needs a trigger, or "when" and a condition';
    const when = /^when(?:\s+(.+))?$/.exec(argument);
    if (when !== null) return when[1] === undefined ? 'break when needs a condition' : this.addCondition(when[1]);
    if (!(triggerTypes as readonly string[]).includes(argument)) return `no trigger is called "${argument}"`;
    this.breaks.push({ name: argument, holds: () => this.fired.has(argument), found: () => [] });
    return `break at ${argument}`;
  }

  private addCondition(expression: string): string {
    try {
      const question = ask(expression, this.source);
      this.breaks.push({
        name: `when ${expression}`,
        holds: () => question.holds(),
        found: () => partLines(this.source, question),
      });
      return `break when ${expression}`;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return [error.message, ...error.place.map((line) => `  ${line}`)].join('\n');
    }
  }

  private inspect(what: string): string {
    const lines: string[] = [];
    let more = 0;
    if (what === '') return 'inspect needs an entity, a variable or a path';
    for (const [path, value] of leavesOf(this.replay.sim)) {
      if (!isAbout(path, what)) continue;
      if (lines.length < shownMax) lines.push(`${path} = ${value}`);
      else more++;
    }
    if (more > 0) lines.push(`and ${more} more`);
    return lines.join('\n') || `nothing is called "${what}"`;
  }
}

function isAbout(path: string, what: string): boolean {
  if (path.startsWith(what)) return true;
  const [kind, name] = path.split('/');
  return kind === 'entities'
    ? name === what || name?.startsWith(`${what} (`) === true
    : kind === 'variables' && name === what;
}

async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of input) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.trim();
  }
  if (rest.trim() !== '') yield rest.trim();
}
