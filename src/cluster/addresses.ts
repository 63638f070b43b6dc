/** Whether a journal with this address can be shared by several processes. */
export function isSharedJournal(address: string | undefined): boolean {
  return /^rediss?(-sentinel)?:/i.test(address ?? '');
}

/** Whether the URL of a database says where it is. One of PostgreSQL may leave the host to the environment, but not everything. */
export function namesHost(address: string): boolean {
  if (/^postgres(?:ql)?:/i.test(address)) return !/^\w+:\/*$/.test(address);
  return URL.canParse(address) && new URL(address).hostname !== '';
}
