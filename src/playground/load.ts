/** The maximum size of a document in bytes. Larger ones take too much memory of a page; real games have up to 2 MB. */
export const documentBytesMax = 16 * 1024 * 1024;

/** Downloads the bytes at a URL. Throws an error with a readable message. Sends neither cookies nor a referrer. */
export async function bytesOfAddress(address: string): Promise<Uint8Array> {
  const response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' }).catch(() => undefined);
  if (response === undefined)
    throw new Error(
      `${address} cannot be loaded: the server does not exist, or does not allow this page to read the file (CORS).`,
    );
  if (!response.ok) throw new Error(`${address} cannot be loaded: the server answered with status ${response.status}.`);
  return bytesOfBody(response);
}

/** The bytes of a response. Stops soon after the maximum size of a document, which the caller refuses then. */
export async function bytesOfBody({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  // Leaving the loop ends the download.
  for await (const part of body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > documentBytesMax) break;
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
