/** Paths that never lead to a page of the web client, even if the browser asks for HTML. */
export const reservedPrefixes = ['/docs', '/health', '/metrics', '/dev/outbox', '/.well-known', '/socket.io'] as const

export const isReservedPath = (path: string): boolean =>
  reservedPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
