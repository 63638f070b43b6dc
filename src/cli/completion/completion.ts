import type { Terminal } from '../../text/index.ts';
import { exitCodes } from '../failure.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof shells)[number];

/**
 * Prints the script that a shell sources. It calls this program for each completion, so that commands and options are
 * declared only once.
 */
export function completion(shell: Shell, _options: object, terminal: Terminal) {
  terminal.stdout.write(scripts[shell]);
  return exitCodes.ok;
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
  // In PowerShell `--` is quoted, because PowerShell scripts, such as the one that npm installs, consume a bare `--`.
  // Before version 7.3 an empty argument must be quoted, or it is not passed at all.
  powershell: `Register-ArgumentCompleter -Native -CommandName reenact -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor } | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -eq '') { $words += $(if ($PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { '' }) }
  reenact complete '--' @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
};
