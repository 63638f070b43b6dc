import type { Dictionary } from '../../engine/core/index.ts';

const debuggerCommands = `\
  step [n]            advance n ticks (default 1)
  back [n]            go back n ticks
  back until <expr>   go back to the last tick at which this expression was true
  goto <tick>         go to a tick, forward or back
  run, run back       continue to the next breakpoint or the end; go back to the previous breakpoint or the start
  break <what>        stop at the end of a tick in which this trigger fired, or this script or action ran
  break when <expr>   stop when this becomes true (see docs/expressions.md), or when a value falls, rises or changes: u12.health falls
  breaks, clear       list all breakpoints; remove all breakpoints
  why <expr>          explain why a value is what it is (see docs/why.md); why alone explains one level more
  writes <expr>       list the changes of a value up to this tick, and what caused them
  inspect <what>      show an entity by id or name, a variable, or an expression; raw <path> shows the raw state
  entities [kind]     list units, items, projectiles, players, regions or debris
  watch <expr>        show the value of an expression at every stop; unwatch [expr] removes it
  where, help, quit`;

/** The names that commands have in gdb and lldb, with their names here. */
const otherWords: Dictionary<string> = {
  s: 'step',
  n: 'step',
  next: 'step',
  rs: 'back',
  c: 'run',
  continue: 'run',
  r: 'run',
  rc: 'run back',
  b: 'break',
  d: 'clear',
  delete: 'clear',
  p: 'inspect',
  print: 'inspect',
  i: 'inspect',
  w: 'watch',
  h: 'help',
  q: 'quit',
  exit: 'quit',
};

/** The commands of `reenact debug`. */
export const debuggerHelp = `${debuggerCommands}

As in gdb and lldb: ${Object.entries(otherWords)
  .map(([word, command]) => `${word} = ${command}`)
  .join(', ')}`;

/** Replaces the command at the start of a line, if it is one of gdb or lldb, by its name here. */
export function withOwnWord(line: string): string {
  return line.trim().replace(/^\S+/, (word) => (Object.hasOwn(otherWords, word) ? otherWords[word]! : word));
}
