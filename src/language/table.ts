/** One or two sentences for each operation or trigger, by its type. */
export type Sentences = Readonly<Record<string, string>>;
