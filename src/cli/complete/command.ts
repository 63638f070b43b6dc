import { Command } from '@commander-js/extra-typings';

export function command() {
  return new Command('complete').argument('[word...]').allowUnknownOption();
}
