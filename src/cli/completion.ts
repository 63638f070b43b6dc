import type { Command, Option } from 'commander';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/**
 * The script that a shell sources. It calls this program for each completion, so that commands and options are declared
 * only once.
 */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}

const scripts: Readonly<Record<Shell, string>> = {
  bash: `_reenact() {
  local IFS=$'\\n'
  local words
  words=$(reenact complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _reenact reenact
`,
  zsh: `#compdef reenact
_reenact() {
  local -a found
  found=("\${(@f)$(reenact complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _reenact reenact
`,
  fish: `complete -c reenact -a '(reenact complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
  // Quoted, because scripts of PowerShell, as npm installs one, consume a bare `--`. Before 7.3 an empty argument must be quoted to be passed at all.
  powershell: `Register-ArgumentCompleter -Native -CommandName reenact -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor } | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -eq '') { $words += $(if ($PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { '' }) }
  reenact complete '--' @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
};

/** Suggestions for options, and for the argument of each command, that accept other words, too. */
export interface OpenWords {
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly arguments: Readonly<Record<string, readonly string[]>>;
}

/**
 * Completes the last word: commands, options and known values. Empty if a file is expected, so that the shell completes
 * it.
 */
export function completions(program: Command, words: readonly string[], open: OpenWords): string[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const name = before.find((word) => !word.startsWith('-'));
  if (name === undefined) {
    const names = program.commands.filter((each) => !isHidden(each)).map((each) => each.name());
    return startingWith(typed, typed.startsWith('-') ? optionNames(program) : [...names, 'help']);
  }
  if (name === 'help')
    return startingWith(
      typed,
      program.commands.filter((each) => !isHidden(each)).map((each) => each.name()),
    );
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined) return [];
  const option = valuedOption(command, before.at(-1));
  if (option !== undefined) return startingWith(typed, option.argChoices ?? open.options[option.long ?? ''] ?? []);
  if (typed.startsWith('-')) return startingWith(typed, optionNames(command));
  const argument = command.registeredArguments.at(Math.min(before.length - 1, command.registeredArguments.length - 1));
  return startingWith(typed, argument?.argChoices ?? open.arguments[name] ?? []);
}

function isHidden(command: Command): boolean {
  return command.name() === 'complete';
}

/** The option that takes the word after `word` as its value. */
function valuedOption(command: Command, word: string | undefined): Option | undefined {
  return command.options.find(
    ({ long, short, required, optional }) => (required || optional) && (word === long || word === short),
  );
}

function optionNames(command: Command): string[] {
  return [...command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []), '--help'];
}

function startingWith(typed: string, words: readonly string[]): string[] {
  return words.filter((word) => word.startsWith(typed));
}
