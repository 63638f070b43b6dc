import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import {
  botsOption,
  collected,
  dialectOption,
  exceptOption,
  fileHelp,
  lengthOption,
  type OptionsOf,
  outputFile,
  triesOption,
} from '../options.ts';

const runHelp = `
--until is evaluated before the first tick and after every tick; --for limits the length of the run. The expression is false while something that it names does not exist.
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

const stateParts = ['units', 'items', 'projectiles', 'players', 'regions', 'debris', 'variables'] as const;
export type StatePart = (typeof stateParts)[number];

function readParts(text: string) {
  const named = text === 'all' ? stateParts : text.split(',');
  const parts = stateParts.filter((part) => named.includes(part));
  if (parts.length === named.length) return parts;
  throw new InvalidArgumentError(`Expected "all", or a list of ${stateParts.join(', ')}, separated by commas.`);
}

export function command() {
  return new Command('run')
    .description('run a game and print a summary')
    .argument('<file>', fileHelp)
    .addOption(lengthOption('how long to play', '60s'))
    .option('--seed <text>', 'seed of all random numbers in game and bots', '0')
    .addOption(botsOption())
    .addOption(triesOption())
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--until <expression>', 'stop as soon as this expression is true; see below')
    .option('--events', 'also print every output event and every trigger except frameTick')
    .option('--json', 'print one JSON object and nothing else')
    .option('--state <parts>', `print the state at the end as JSON: all, or some of ${stateParts.join(',')}`, readParts)
    .option('--record <file>', 'write a journal of the run; see: reenact help replay', outputFile)
    .addOption(
      new Option('--hash-every <interval>', 'how often to record a hash of the state in the journal')
        .choices(['second', 'tick'])
        .default('second'),
    )
    .addOption(
      new Option('--set <path=value>', 'change a value of the definition for this run; repeatable')
        .argParser(collected)
        .conflicts(['record', 'html']),
    )
    .option('--html <file>', 'write a page that replays the run: a single file that any browser can open', outputFile)
    .option('--svg <file>', 'write a picture of the final state as SVG', outputFile)
    .option('--png <file>', 'write a picture of the final state as PNG; needs the package @resvg/resvg-js', outputFile)
    .option('--store <folder>', 'save the data of players in this folder, and load it in the next run')
    .addOption(new Option('--watch', 'run again whenever the file changes').conflicts('json'))
    .addHelpText('after', runHelp);
}

export type RunOptions = OptionsOf<typeof command>;
