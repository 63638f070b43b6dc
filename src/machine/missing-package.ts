/** Whether an import failed because a package is not installed. The code differs between ES modules and CommonJS. */
export function isMissing(name: string, error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return /^(?:ERR_)?MODULE_NOT_FOUND$/.test(code ?? '') && message.includes(name);
}
