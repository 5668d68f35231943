/** Addresses of the portal that are never a page of the client, whatever a browser accepts there. */
const reservedPrefixes = ['/docs', '/health', '/metrics', '/dev/outbox', '/.well-known', '/socket.io'] as const

export const isReservedPath = (path: string): boolean =>
  reservedPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
