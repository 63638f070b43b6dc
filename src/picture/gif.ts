import { encodeGif } from './gif-encoder.ts';
import { rendered } from './png.ts';

/** Encodes images of one size as an endless GIF, `delayMs` per frame. Throws `NoRenderer`. */
export function gifOf(svgs: Iterable<string>, width: number, delayMs: number): Promise<Uint8Array> {
  return encodeGif(imagesOf(svgs, width), delayMs);
}

async function* imagesOf(svgs: Iterable<string>, wanted: number) {
  for (const svg of svgs) {
    const { pixels, width, height } = await rendered(svg, wanted);
    yield { width, height, pixels: new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.length) };
  }
}
