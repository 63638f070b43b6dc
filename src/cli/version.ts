import { ownPackage } from './package-root.ts';

export function packageVersion(): string {
  return ownPackage()?.version ?? 'unknown';
}
