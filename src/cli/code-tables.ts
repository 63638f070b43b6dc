import { faultCodes, type IssueCode, skipCodes, usageCodes } from '../../engine/index.ts';
import { refusalCodes } from '../../engine/tools.ts';
import { issueCodes } from '../check/index.ts';
import { operatorCodes } from '../cluster/index.ts';
import { expressionCodes } from '../expression/index.ts';
import { codeMeanings } from '../net/index.ts';
import { bugCodes, playgroundCodes, textCodes } from '../run/index.ts';
import { httpCodes } from '../server/index.ts';

/**
 * Reasons why a command could not do what it was asked to do. They include the errors of Commander, which parses the
 * command line, with their names in kebab case.
 */
const commandCodes = {
  'already-there': 'A file that the command would overwrite already exists.',
  'bad-backup': 'The file is not a backup, or is damaged.',
  'bad-config': 'A configuration file is not valid.',
  'bad-filter': 'The pattern of --filter is not a regular expression.',
  'bad-moment': 'A time such as 12 s or 240 ticks has an invalid form, or is not in the recording.',
  'bad-name': 'The name of a file has the wrong ending.',
  'bad-option': 'An option has an invalid value, is missing, or contradicts another.',
  'bad-output': 'The name of an output file is missing, or does not fit its content.',
  'bad-reachable': 'The value of --reachable does not have the form TIME EXPRESSION.',
  'bad-reporter': 'A reporter is unknown, lacks the name of its file, or does not fit the command.',
  'bad-requirement': 'The value of --require is not a comparison of figures, or needs --baseline.',
  'bad-host': 'The module with the words of the host cannot be used.',
  'bad-rules': 'A module with rules of the project cannot be used.',
  'bad-scenario': 'A scenario file is not valid.',
  'bad-setting': 'A setting does not have the form path=value.',
  'bad-url': 'The URL does not have the form of the URL of a server, such as http://localhost:8080.',
  'bad-within': 'The value of --within does not have the form TIME EXPRESSION.',
  'cannot-open': 'The program that opens pages and pictures could not be started.',
  'cannot-write': 'A file cannot be written.',
  'conflicting-option': 'Two options exclude each other.',
  'damaged-corpus': 'The folder in which explore keeps its recordings is damaged.',
  'data-failed': 'The saved data cannot be read or written.',
  'does-not-fit': 'A recipe lacks something in the game, does not work in it, or repeats what a script already does.',
  'duplicate-argument': 'An argument was given twice.',
  error: 'The command line is not valid.',
  'excess-arguments': 'There are more arguments than the command takes.',
  'invalid-argument': 'An argument or the value of an option is not valid.',
  'missing-argument': 'A required argument is missing.',
  'missing-mandatory-option-value': 'A required option is missing.',
  'no-edit':
    'A change that a test made while the journal was recorded cannot be repeated with another seed or dialect.',
  'no-game': 'The journal does not name the file of its game. Give the file with --game.',
  'no-journal': 'The file is not a journal, or is a journal of another version.',
  'no-map': 'The map has no size, so there is nothing to draw.',
  'no-package': 'Files of the package reenact are missing. Reinstall the package.',
  'no-pictures': 'Files about failures, such as pictures, could not be written; the scenarios ran nevertheless.',
  'no-renderer': 'The package that turns pictures into PNG files is not installed.',
  'no-server': 'The server cannot be reached, refuses players, or does not provide the definition of its game.',
  'no-server-package': 'The command needs the package @reenact/server, which is not installed.',
  'no-start': 'The journal does not begin with a state that can be restored.',
  'no-such-tick': 'The tick is not in the recording.',
  'not-built': 'A file that npm run build creates is missing.',
  'not-playable': 'The file is not a game definition that can be run.',
  'nothing-ran': 'No scenario matched, so none was run.',
  'nothing-to-fix': '--fix cannot repair standard input, because the result must be written to a file.',
  'nothing-to-watch': '--watch cannot watch standard input for changes.',
  'one-address': 'The server or the game limits the number of players from one IP address.',
  'option-missing-argument': 'An option lacks its value.',
  'other-definition': 'The journal was recorded with another game definition.',
  'outside-folder': 'The path is outside of the folder that reenact mcp may read.',
  'recipe-added': 'The game already has the recipe.',
  'recipe-changed': 'The additions of a recipe were changed later, so the recipe cannot be removed.',
  'recipe-not-added': 'The game does not have the recipe.',
  'unknown-code': 'No code has this name.',
  'unknown-command': 'No command has this name.',
  'unknown-member': 'The path of a setting does not exist in the game definition.',
  'unknown-operation': 'No action, function or trigger matches.',
  'unknown-recipe': 'No recipe has this name.',
  'unreadable-baseline': 'The file of --baseline cannot be read, or was written by another version.',
  'unreadable-file': 'A file does not exist or cannot be read.',
  'unwritable-file': 'A file cannot be written.',
} as const;

/**
 * Every code that a command, a game or a server prints, by subject. Each is declared next to the code that reports it.
 */
export const codeTables = {
  issues: issueCodes as Readonly<
    Record<keyof typeof issueCodes, { readonly severity: string; readonly about: string }>
  >,
  faults: faultCodes,
  skips: skipCodes,
  expressions: expressionCodes,
  refusals: refusalCodes,
  commands: commandCodes,
  calls: usageCodes,
  server: operatorCodes,
  connections: codeMeanings,
  http: httpCodes,
  playground: playgroundCodes,
  texts: textCodes,
  bugs: bugCodes,
} as const;

type CodeOf<T> = T extends unknown ? keyof T & string : never;
/** The codes that `Failure` accepts, so that no command prints a code that `reenact codes` cannot explain. */
export type PrintedCode = CodeOf<(typeof codeTables)[Exclude<keyof typeof codeTables, 'issues'>]> | IssueCode;
