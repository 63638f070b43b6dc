import { Command } from '@commander-js/extra-typings';

export function command() {
  return new Command('version').description('print the version');
}
