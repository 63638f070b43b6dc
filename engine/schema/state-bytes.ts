import { ByteReader, ByteWriter } from '../core/bytes.ts';
import { type GraphAdapters, GraphReader, GraphWriter } from '../core/graph.ts';
import { type Parts, partAdapter } from './parts.ts';

/** Where declared values are written to. Values of any form go into one graph, so that what is one object stays one object. */
export class StateWriter {
  readonly bytes: ByteWriter;
  readonly parts: Parts;
  /** Whether the bytes are to be hashed: fields that are `outsideHash` are left out, and sharing of frozen objects is not recorded. */
  readonly isHash: boolean;
  private readonly graph: GraphWriter;

  /** Writes to `bytes`. */
  constructor(parts: Parts, adapters: GraphAdapters, bytes = new ByteWriter(), isHash = false) {
    this.bytes = bytes;
    this.parts = parts;
    this.isHash = isHash;
    this.graph = new GraphWriter([partAdapter(parts), ...adapters], isHash);
  }

  text(text: string): void {
    this.graph.text(text, this.bytes);
  }

  value(value: unknown): void {
    this.graph.value(value, this.bytes);
  }

  whole(to?: ByteWriter): Uint8Array<ArrayBuffer> {
    return this.graph.whole(this.bytes, to);
  }
}

export class StateReader {
  readonly bytes: ByteReader;
  readonly parts: Parts;
  private readonly graph: GraphReader;

  /** Reads the graph: throws `MalformedBytes`. */
  constructor(bytes: Uint8Array, parts: Parts, adapters: GraphAdapters) {
    this.bytes = new ByteReader(bytes);
    this.parts = parts;
    this.graph = new GraphReader(this.bytes, [partAdapter(parts), ...adapters]);
  }

  text(): string {
    return this.graph.text();
  }

  value(): unknown {
    return this.graph.value();
  }
}
