import type gifenc from 'gifenc';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes each: red, green, blue and alpha. */
  readonly pixels: Uint8Array;
}

const colorsMax = 256;

/**
 * Encodes images of one size as an endless GIF. `delayMs` per frame is rounded to hundredths of a second, as in the
 * format.
 */
export async function encodeGif(images: AsyncIterable<Pixels>, delayMs: number): Promise<Uint8Array> {
  const { GIFEncoder, quantize, applyPalette } = await encoder();
  const stream = GIFEncoder();
  for await (const { pixels, width, height } of images) {
    // Each frame has its own palette, because new players bring new colours.
    const palette = quantize(pixels, colorsMax);
    stream.writeFrame(applyPalette(pixels, palette), width, height, { palette, delay: delayMs });
  }
  stream.finish();
  return stream.bytes();
}

/** A CommonJS module: depending on the loader, its members are on the module or on its default export. */
async function encoder(): Promise<typeof gifenc> {
  const library = (await import('gifenc')) as Partial<typeof gifenc> & { readonly default: typeof gifenc };
  return library.GIFEncoder === undefined ? library.default : (library as typeof gifenc);
}
