import type { FastifyRequest } from 'fastify'

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const

/**
 * The address of the connection itself, or undefined where the request came through a proxy, because from behind one everybody
 * looks like a neighbour. Never what a header says: that would be what its sender likes.
 */
export const directAddressOf = ({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): string | undefined => {
  if (forwardingHeaders.some((name) => headers[name] !== undefined)) return undefined
  return raw.socket.remoteAddress?.replace(/^::ffff:/, '')
}

/** Whether somebody on this very machine asks. A proxy on it that adds no forwarding header looks the same. */
export const isOnThisMachine = (request: Pick<FastifyRequest, 'headers' | 'raw'>): boolean => {
  const address = directAddressOf(request)
  return address === '::1' || (address?.startsWith('127.') ?? false)
}
