/** A type or state as a value: people say its name or its key. */
export class TypeName {
  readonly key: string;
  readonly name: string;

  constructor(key: string, name: string) {
    this.key = key;
    this.name = name;
  }

  is(other: unknown): boolean {
    if (other instanceof TypeName) return other.key === this.key;
    return other === this.key || other === this.name;
  }
}
