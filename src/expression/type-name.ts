/** A type or state as a value, which matches by name or key. */
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
