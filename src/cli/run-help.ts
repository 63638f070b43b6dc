/** The text of `reenact run --help` below the options. */
export const runHelp = `
--until is looked at before the first and after every tick; --seconds or --ticks is then the most that is played. What is not there is not yet so.
  values       numbers, "texts", 'texts', true, false, nothing (a variable without a value)
  variables    global variables by name: state, @timeGameover; other names between backticks: \`my name\`
  entities     by id: u1, i7, bot1, computer1; what they have: u1.health, bot1.unit.type
  groups       units, items, projectiles, players (without the computer's); units of type zombie in region market where (health < 50)
  events       fired unitTouchesUnit, runs "every second", outputs chat, faults; time (simulated seconds), tick
  operators    == != < <= > >= and or not + - * / ( )
  example      reenact run game.json --bots 8 --until 'state == "gameover" or time >= 30 and players < 2'
The whole language, the same as in scenarios: docs/expressions.md.

--events with --json lists the first 10000 as "events" and counts the others as "eventsOmitted".
Interrupting (ctrl-C) ends the game and prints what happened so far.
Exit codes: 0 played, 1 the definition cannot be run, 2 wrong usage or unreadable file, 3 --until never became true, 130 interrupted.
`;
