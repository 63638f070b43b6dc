import type gifenc from 'gifenc';
import { rendered } from './png.ts';

const colorsMax = 256;

/**
 * Encodes images of the same size as a GIF that repeats endlessly. `delayMs`, the time per frame, is rounded to
 * hundredths of a second, the unit of the format. Throws `NoRenderer` if the rendering library is missing.
 */
export async function gifOf(svgs: Iterable<string>, width: number, delayMs: number): Promise<Uint8Array> {
  const { GIFEncoder, quantize, applyPalette } = await encoder();
  const stream = GIFEncoder();
  for (const svg of svgs) {
    const image = await rendered(svg, width);
    const { buffer, byteOffset, length } = image.pixels;
    const pixels = new Uint8Array(buffer, byteOffset, length);
    // Each frame has its own palette, because players who join later bring new colours.
    const palette = quantize(pixels, colorsMax);
    stream.writeFrame(applyPalette(pixels, palette), image.width, image.height, { palette, delay: delayMs });
  }
  stream.finish();
  return stream.bytes();
}

/** `gifenc` is a CommonJS module. Depending on the loader, its members are on the module or on its default export. */
async function encoder(): Promise<typeof gifenc> {
  const library = (await import('gifenc')) as Partial<typeof gifenc> & { readonly default: typeof gifenc };
  return library.GIFEncoder === undefined ? library.default : (library as typeof gifenc);
}
