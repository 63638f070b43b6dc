import { ByteReader, ByteWriter } from '../core/bytes.ts';
import { type GraphAdapters, GraphReader, GraphWriter } from '../core/graph.ts';
import { type Parts, partAdapter } from './parts.ts';

/**
 * Collects the bytes of declared values. All `json` values are written to one graph, so that shared objects stay
 * shared.
 */
export class StateWriter {
  private readonly graph: GraphWriter;

  constructor(
    readonly parts: Parts,
    adapters: GraphAdapters,
    readonly bytes: ByteWriter = new ByteWriter(),

    /**
     * Whether the bytes are only hashed: then `outsideHash` fields are left out, and sharing of frozen objects is not
     * recorded.
     */
    readonly isHash = false,
    bytesMax = Infinity,
  ) {
    this.graph = new GraphWriter([partAdapter(parts), ...adapters], isHash, bytesMax);
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
  private readonly graph: GraphReader;

  /** Reads the graph, which precedes the values. Throws `MalformedBytes` if it cannot be decoded. */
  constructor(
    bytes: Uint8Array,
    readonly parts: Parts,
    adapters: GraphAdapters,
  ) {
    this.bytes = new ByteReader(bytes);
    this.graph = new GraphReader(this.bytes, [partAdapter(parts), ...adapters]);
  }

  text(): string {
    return this.graph.text();
  }

  value(): unknown {
    return this.graph.value();
  }
}
