/**
 * Whether an import failed because the package `name` is not installed. ES modules and CommonJS modules use different
 * error codes.
 */
export function isMissing(name: string, error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return /^(?:ERR_)?MODULE_NOT_FOUND$/.test(code ?? '') && message.includes(name);
}
