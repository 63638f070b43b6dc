import { ByteReader, ByteWriter, type ReadMemory } from '../core/bytes.ts';
import { type GraphAdapters, GraphReader, GraphWriter } from '../core/graph.ts';
import { type Parts, partAdapter } from './parts.ts';

/** Where declared values are written to. Values of any form go into one graph, so that what is one object stays one object. */
export class StateWriter {
  readonly bytes: ByteWriter;
  readonly parts: Parts;
  private readonly graph: GraphWriter;

  /** Writes to `bytes`. */
  constructor(parts: Parts, adapters: GraphAdapters, bytes = new ByteWriter()) {
    this.bytes = bytes;
    this.parts = parts;
    this.graph = new GraphWriter([partAdapter(parts), ...adapters]);
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

/** Where a state is read that takes the place of another. */
export interface ReadInto {
  readonly memory: ReadMemory;
  /** The stores by row that are to be filled. A row keeps its value where an equal one is read. */
  readonly stores: { readonly [name: string]: unknown };
}

export class StateReader {
  readonly bytes: ByteReader;
  readonly parts: Parts;
  readonly into: ReadInto | undefined;
  private readonly graph: GraphReader;

  /** Reads the graph: throws `MalformedBytes`. */
  constructor(bytes: Uint8Array, parts: Parts, adapters: GraphAdapters, into?: ReadInto) {
    this.bytes = new ByteReader(bytes, into?.memory);
    this.parts = parts;
    this.into = into;
    this.graph = new GraphReader(this.bytes, [partAdapter(parts), ...adapters]);
  }

  text(): string {
    return this.graph.text();
  }

  value(): unknown {
    return this.graph.value();
  }
}
