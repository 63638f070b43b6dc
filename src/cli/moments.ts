import type { Replay, Simulation } from '../../engine/index.ts';
import { addToLegend, gifOf, Legend, picture, pngOf, renderer } from '../picture/index.ts';
import { ticksOf } from '../text/index.ts';
import { Failure } from './failure.ts';
import { timeOf } from './read-journal.ts';
import type { ViewOptions } from './view/command.ts';
import { writeText } from './write-text.ts';

const pngWidth = 1440;
const gifWidth = 720;
const framesPerSecondMax = 10;
const framesMax = 600;
/** A GIF of one moment shows this many seconds before and after the moment. */
const aroundSeconds = 1;

/** Writes images of the current state: an SVG that adapts to the light or dark theme of its page, and a PNG. */
export async function savePictures(sim: Simulation, { svg, png }: Pick<ViewOptions, 'svg' | 'png'>) {
  if (svg !== undefined) writeText(svg, drawn(sim));
  if (png !== undefined) writeText(png, await pngOf(drawn(sim, { theme: 'light' }), pngWidth));
}

/** Throws a `UserError` if these images need a package that is not installed. Call it before playing the game. */
export async function requireRenderer({ png, gif }: Pick<ViewOptions, 'png' | 'gif'>) {
  if (png !== undefined || gif !== undefined) await renderer();
}

/** Whether any image is requested. Throws `Failure` for contradictory options. */
export function wantsPictures({ svg, png, gif, at, from, to }: ViewOptions): boolean {
  const times = { '--at': at, '--from': from, '--to': to };
  for (const [option, text] of Object.entries(times)) if (text !== undefined) timeOf(option, text);
  const isStretch = from !== undefined || to !== undefined;
  if (isStretch && gif === undefined)
    throw usage('--from and --to need --gif. For a picture, give one moment with --at.');
  if (isStretch && at !== undefined && svg === undefined && png === undefined) {
    throw usage('For a GIF, give either --at, or --from and --to, but not both.');
  }
  return svg !== undefined || png !== undefined || gif !== undefined;
}

/**
 * Writes images of a moment (by default the end), and a GIF of a time range or of the time around the moment. Returns
 * the paths of the files.
 */
export async function saveMoments(replay: Replay, options: ViewOptions): Promise<readonly string[]> {
  const { svg, png, gif, at, from, to } = options;
  const { head, lastTick } = replay.journal;
  const moment = at === undefined ? lastTick : tickOf(replay, '--at', at);
  if (svg !== undefined || png !== undefined) {
    replay.seek(moment);
    await savePictures(replay.sim, options);
  }
  if (gif !== undefined) {
    const around = at === undefined ? Infinity : Math.round(aroundSeconds * head.rate);
    const first = from === undefined ? Math.max(head.tick, moment - around) : tickOf(replay, '--from', from);
    const last = to === undefined ? Math.min(lastTick, moment + around) : tickOf(replay, '--to', to);
    await saveGif(replay, gif, first, last);
  }
  return [svg, png, gif].filter((file) => file !== undefined);
}

/** The tick of a time given by an option. Throws `Failure` if it is outside the recording. */
export function tickOf({ journal: { head, lastTick } }: Replay, option: string, text: string): number {
  const tick = ticksOf(timeOf(option, text), head.rate);
  if (tick >= head.tick && tick <= lastTick) return tick;
  const [first, last] = [head.tick, lastTick].map((each) => (each / head.rate).toFixed(2));
  throw usage(
    `${option} ${text} is not in the recording, which goes from ${first} s to ${last} s (tick ${head.tick} to ${lastTick}).`,
  );
}

async function saveGif(replay: Replay, file: string, first: number, last: number) {
  if (last < first) throw usage('--to is before --from.');
  const { rate } = replay.journal.head;
  const step = Math.max(1, Math.ceil(rate / framesPerSecondMax));
  const frames = Math.floor((last - first) / step) + 1;
  if (frames > framesMax) {
    const seconds = (framesMax * step) / rate;
    throw usage(
      `A GIF is limited to ${framesMax} frames (${seconds.toFixed(0)} s). Choose a shorter range with --from and --to.`,
    );
  }
  const moments = function* (): Generator<Simulation> {
    for (let tick = first; tick <= last; tick += step) {
      replay.seek(tick);
      yield replay.sim;
      if (replay.sim.ended) return;
    }
  };
  const legend = new Legend();
  for (const sim of moments()) addToLegend(legend, sim);
  const pictures = (function* (): Generator<string> {
    for (const sim of moments()) {
      yield drawn(sim, { theme: 'light', legend, caption: `${(sim.tick / rate).toFixed(2)} s · tick ${sim.tick}` });
    }
  })();
  writeText(file, await gifOf(pictures, gifWidth, (step * 1000) / rate));
}

function drawn(sim: Simulation, options: Parameters<typeof picture>[1] = {}) {
  const svg = picture(sim, options);
  if (svg === '') throw new Failure('no-map', 'The map has no size, so there is nothing to draw.');
  return svg;
}

function usage(message: string) {
  return new Failure('bad-moment', message);
}
