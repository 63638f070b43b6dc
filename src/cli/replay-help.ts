export const replayHelp = `
Exit codes: 0 done, 2 wrong usage or unreadable file, 4 not what was recorded.

Interactive commands, one on a line:
  step [n]            n ticks on (default 1)
  back [n]            n ticks back
  goto <tick>         to a tick, forward or back
  run                 to the next break or the end
  break <trigger>     stop at the end of a tick in which this trigger fired
  break when <expr>   stop when this is true: docs/expressions.md
  breaks, clear       list breaks, forget them
  inspect <what>      an entity by id or name, a variable, or an expression; raw <path> for the state itself
  entities [kind]     units, items, projectiles, players, regions, debris
  watch <expr>        show its value at every stop; unwatch [expr] ends that
  events [on|off]     show triggers and outputs as they happen
  where, help, quit`;

export const divergeHelp = `
Both plays are made again and compared tick by tick; where neither can be, as they were recorded.
Exit codes: 0 no difference, 2 wrong usage or unreadable file, 4 a difference was found.`;
