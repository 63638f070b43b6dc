import { Command } from '@commander-js/extra-typings';
import { type OptionsOf, outputFile } from '../options.ts';

export function command() {
  return new Command('view')
    .description('write a page that replays a journal, or pictures of it')
    .argument('<journal>', 'file written by reenact run --record')
    .option('--game <file>', 'game definition (default: the path recorded in the journal)')
    .option('--html <file>', 'page to write (default: a temporary file, whose path is printed)', outputFile)
    .option('--open', 'open the page in the default browser')
    .option(
      '--images',
      'let the page also load images that are not embedded in the definition (default: the page draws shapes instead)',
    )
    .option('--svg <file>', 'write a picture of one moment as SVG', outputFile)
    .option('--png <file>', 'write a picture of one moment as PNG; needs the package @resvg/resvg-js', outputFile)
    .option(
      '--gif <file>',
      'write an animation of a time range, or of the time around a moment; needs the package @resvg/resvg-js',
      outputFile,
    )
    .option(
      '--at <time>',
      'the moment, such as 12 s, 1.5 min or 240 ticks (default: for pictures, the end; for the page, the first event)',
    )
    .option('--from <time>', 'start of the time range (default: start of the recording)')
    .option('--to <time>', 'end of the time range (default: end of the recording)')
    .addHelpText(
      'after',
      '\nThe page is a single file that works offline: it simulates the game in the browser.\nWith --svg, --png or --gif, a page is written only if --html or --open is given, too.\nGuide: docs/viewer.md',
    );
}

export type ViewOptions = OptionsOf<typeof command>;
