import { encodeGif } from '../picture/index.ts';

const widthMax = 480;

/** Encodes pictures of one size as an endless GIF. */
export function filmOf(svgs: readonly string[], framesPerSecond: number): Promise<Uint8Array> {
  return encodeGif(imagesOf(svgs), 1000 / framesPerSecond);
}

async function* imagesOf(svgs: readonly string[]) {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d', { willReadFrequently: true })!;
  for (const svg of svgs) {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    await image.decode();
    canvas.width = Math.min(widthMax, image.width);
    canvas.height = Math.round((image.height * canvas.width) / image.width);
    const { width, height } = canvas;
    pen.drawImage(image, 0, 0, width, height);
    yield { width, height, pixels: new Uint8Array(pen.getImageData(0, 0, width, height).data.buffer) };
  }
}
