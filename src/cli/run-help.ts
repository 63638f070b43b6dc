/** What `reenact run --help` says below the options. */
export const runHelp = `
--until is looked at before the first and after every tick; --seconds or --ticks is then the most that is played.
  values       numbers, "texts", 'texts', true, false, null (a variable without a value)
  variables    global variables by name: state, @timeGameover; other names in quotes: \`my name\` or ["my name"]
  counts       units, items, projectiles, players (without the computer's), time (simulated seconds), tick
  operators    == != < <= > >= && || ! ( )
  A text that spells a number equals that number. Entities are texts, their id: u1, i7, p2.
  example      reenact run game.json --bots 8 --until 'state == "gameover" || time >= 30 && players < 2'

--events with --json lists the first 10000 as "events" and counts the others as "eventsOmitted".
Interrupting (ctrl-C) ends the game and prints what happened so far.
Exit codes: 0 played, 1 the definition cannot be run, 2 wrong usage or unreadable file, 3 --until never became true, 130 interrupted.
`;
