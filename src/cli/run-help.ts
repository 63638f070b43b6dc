/** The text below the options of `reenact run --help`. */
export const runHelp = `
--until is evaluated before the first tick and after every tick; --seconds or --ticks is then the maximum. While something that it names does not exist, it is false.
  values       numbers, "texts", 'texts', true, false, nothing (the value of an unset variable)
  variables    global variables by name: state, @timeGameover; other names in backticks: \`my name\`
  entities     by id: u1, i7, bot1, computer1; their properties: u1.health, bot1.unit.type
  groups       units, items, projectiles, players (without computer players); units of type zombie in region market where (health < 50)
  events       fired unitTouchesUnit, runs "every second", outputs chat, faults; time (simulated seconds), tick
  operators    == != < <= > >= and or not + - * / ( )
  example      reenact run game.json --bots 8 --until 'state == "gameover" or time >= 30 and players < 2'
The language is the same as in scenarios; see docs/expressions.md.

With --events and --json, the first 10000 events are listed as "events"; "eventsOmitted" counts the rest.
Interrupting (Ctrl+C) ends the game and prints what happened so far.
Exit codes: 0 success, 1 the definition cannot be run, 2 invalid usage or unreadable file, 3 --until never became true, 130 interrupted.
`;
