import { codeOnly, lineAt, type Sources } from './source.ts';

/** Private words for which there are standard terms; comments are read by `comments.ts`. */
const privateWords =
  /^(?:ailments?|deeds?|departed|hears?|heard|keepers?|newcomers?|news|tells?|tellers?|telling|told|unheard|untold|verbs?)$/i;

/** Names that are public: `reenact ops --json` writes them. */
const publicNames: ReadonlySet<string> = new Set(['tells', 'tellsSometimes']);

/** Names of the program of which a part is a private word. */
export function nameFaults(sources: Sources): string[] {
  const faults: string[] = [];
  for (const [path, text] of sources) {
    for (const { 0: name, index } of codeOnly(text).matchAll(/[A-Za-z_$][\w$]*/g)) {
      if (publicNames.has(name)) continue;
      const parts = name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
      if (parts.some((part) => privateWords.test(part))) faults.push(`${path}:${lineAt(text, index)} ${name}`);
    }
  }
  return faults;
}
