/** Addresses of the portal that are never a page of the client, whatever a browser accepts there. */
const neverPages = ['/docs', '/health', '/metrics', '/dev/outbox', '/.well-known', '/socket.io'] as const

export const isNeverPage = (path: string): boolean =>
  neverPages.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
