/** A type or state as a value, which matches by name or key. */
export class TypeName {
  constructor(
    readonly key: string,
    readonly name: string,
  ) {}

  is(other: unknown): boolean {
    if (other instanceof TypeName) return other.key === this.key;
    return other === this.key || other === this.name;
  }
}
