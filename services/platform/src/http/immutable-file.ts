import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file whose address never has other bytes, so that browsers and proxies keep it. */
export class ImmutableFile {
  /** Names the bytes. Letters, digits and hyphens, so that the header needs no escaping. */
  readonly tag: string
  readonly bytes: Buffer

  constructor(tag: string, bytes: Buffer) {
    if (!/^[\w-]+$/.test(tag)) throw new TypeError(`${JSON.stringify(tag)} is not a safe tag`)
    this.tag = tag
    this.bytes = bytes
  }
}

/** Vary: a page can have the same URL, and a cache must not mix the two. */
export const sendImmutable = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  contentType: string,
  { tag, bytes }: ImmutableFile,
): FastifyReply => {
  const etag = `"${tag}"`
  reply.headers({ etag, 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept' })
  const known = headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (known?.includes(etag)) return reply.code(304).send()
  return reply.header('content-type', contentType).send(bytes)
}
