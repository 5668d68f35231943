import { chmodSync, existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Logger } from 'pino'
import { createStream, type RotatingFileStream } from 'rotating-file-stream'
import type { SecurityLogDestination } from './security-log.ts'

type RotatingFileOptions = {
  readonly path: string
  readonly logger: Pick<Logger, 'error'>
  readonly fileBytes?: number
  /** The number of rotated files. */
  readonly rotatedFiles?: number
}

const defaultFileBytes = 10 * 1024 * 1024
const defaultRotatedFiles = 4
/** The write buffer. Further lines go to standard error. */
const maxBufferedBytes = 1024 * 1024
const reopenAfterMs = 5_000

/**
 * `security.log`, `security.log.1` and so on, readable by the owner only, with a maximum size and number. While the file cannot be
 * written, lines go to standard error.
 */
export const rotatingFile = (options: RotatingFileOptions): SecurityLogDestination => {
  const { path, logger, fileBytes = defaultFileBytes, rotatedFiles = defaultRotatedFiles } = options
  let stream: RotatingFileStream | undefined
  let failedAtMs = Number.NEGATIVE_INFINITY

  const open = (): RotatingFileStream => {
    if (existsSync(path)) chmodSync(path, 0o600)
    const fileName = (index: number | Date | null): string => {
      const name = basename(path)
      return index === null ? name : `${name}.${Number(index)}`
    }
    const opened = createStream(fileName, {
      path: dirname(path),
      size: `${fileBytes}B`,
      rotate: rotatedFiles,
      mode: 0o600,
    })
    opened.on('error', (err) => {
      failedAtMs = performance.now()
      stream = undefined
      logger.error({ err }, 'security log file failed, writing to standard error')
    })
    return opened
  }

  return {
    write: (line) => {
      if (!stream && performance.now() - failedAtMs > reopenAfterMs) stream = open()
      if (stream && stream.writableLength < maxBufferedBytes) stream.write(line)
      else process.stderr.write(line)
    },
    close: async () => {
      const closing = stream
      if (!closing) return
      stream = undefined
      failedAtMs = Number.POSITIVE_INFINITY
      await new Promise<void>((resolve) => {
        closing.once('close', resolve).once('error', () => resolve())
        closing.end()
      })
    },
  }
}
