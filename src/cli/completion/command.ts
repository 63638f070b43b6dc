import { Argument, Command } from '@commander-js/extra-typings';
import { shells } from './completion.ts';

export function command() {
  return new Command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(shells))
    .addHelpText(
      'after',
      '\nbash: add to ~/.bashrc:               eval "$(reenact completion bash)"\nzsh:  add to ~/.zshrc after compinit: eval "$(reenact completion zsh)"\nfish: add to config.fish:             reenact completion fish | source\npowershell: add to $PROFILE:          reenact completion powershell | Out-String | Invoke-Expression',
    );
}
