import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A response that the client saves as a file. It is produced while it is sent, so its size costs no memory. */
export class FileDownload {
  /** Letters, digits, dots and hyphens, so that the header needs no quoting. */
  readonly fileName: string
  /** Ends early when the client goes away. */
  readonly content: AsyncIterable<string>

  constructor(fileName: string, content: AsyncIterable<string>) {
    if (!/^[\w.-]+$/.test(fileName)) throw new TypeError(`${JSON.stringify(fileName)} is not a safe file name`)
    this.fileName = fileName
    this.content = content
  }
}

/** Fastify destroys the stream when the connection closes, which ends `content`. */
export const sendDownload = (
  reply: FastifyReply,
  contentType: string,
  { fileName, content }: FileDownload,
): FastifyReply =>
  reply
    .headers({
      'content-type': contentType,
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
    })
    .send(Readable.from(content, { objectMode: false }))
