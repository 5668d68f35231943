import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A response that the client saves as a file. It is produced while it is sent, so its size costs no memory. */
export class FileDownload {
  /** Letters, digits, dots and hyphens, so that the header needs no quoting. */
  readonly fileName: string
  /** Ends early when the client goes away. */
  readonly content: AsyncIterable<string>
  /** Runs before the first byte leaves. A HEAD request gets no byte. */
  readonly begin: () => Promise<void>

  constructor(fileName: string, content: AsyncIterable<string>, begin: () => Promise<void> = async () => undefined) {
    if (!/^[\w.-]+$/.test(fileName)) throw new TypeError(`${JSON.stringify(fileName)} is not a safe file name`)
    this.fileName = fileName
    this.content = content
    this.begin = begin
  }
}

/** Fastify destroys the stream when the connection closes, which ends `content`. */
export const sendDownload = async (
  { method }: Pick<FastifyRequest, 'method'>,
  reply: FastifyReply,
  contentType: string,
  { fileName, content, begin }: FileDownload,
): Promise<FastifyReply> => {
  const isWanted = method !== 'HEAD'
  // An empty stream and not an empty text, for which Fastify would answer 'content-length: 0'.
  const sent = isWanted ? content : []
  if (isWanted) await begin()
  return reply
    .headers({
      'content-type': contentType,
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
    })
    .send(Readable.from(sent, { objectMode: false }))
}
