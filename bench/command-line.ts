import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Parses the options and files of a command line. An unknown option exits with code 2. */
export function commandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const names = Object.keys(config.options ?? {}).map((name) => `--${name}`);
    badCommandLine(`${error.message}\nOptions: ${names.join(', ')}.`);
  }
}

/** Parses a positive number. Anything else exits with code 2. */
export function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < Number.POSITIVE_INFINITY))
    badCommandLine(`--${option} is a number above 0, not "${text}".`);
  return value;
}

export function badCommandLine(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
