import type gifenc from 'gifenc';
import { rendered } from './png.ts';

const colorsMax = 256;

/**
 * Pictures of one size as a GIF that goes on for ever. `delayMs` from one to the next, in hundredths of a second as the format has it. The encoder
 * is a dependency and no optional one: it is small, needs nothing, and without it a renderer would be there in vain. Throws `NoRenderer`.
 */
export async function gifOf(svgs: Iterable<string>, width: number, delayMs: number): Promise<Uint8Array> {
  const { GIFEncoder, quantize, applyPalette } = await encoder();
  const stream = GIFEncoder();
  for (const svg of svgs) {
    const image = await rendered(svg, width);
    const pixels = new Uint8Array(image.pixels.buffer, image.pixels.byteOffset, image.pixels.length);
    // Each has its own colours: in a game new ones come with new players.
    const palette = quantize(pixels, colorsMax);
    stream.writeFrame(applyPalette(pixels, palette), image.width, image.height, { palette, delay: delayMs });
  }
  stream.finish();
  return stream.bytes();
}

/** A module of the older kind: by the loader its members are the module's own, or those of its default. */
async function encoder(): Promise<typeof gifenc> {
  const library = (await import('gifenc')) as Partial<typeof gifenc> & { readonly default: typeof gifenc };
  return library.GIFEncoder === undefined ? library.default : (library as typeof gifenc);
}
