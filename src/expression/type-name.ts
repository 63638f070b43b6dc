/** A type or state as a value of an expression. It matches its name and its key. */
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
