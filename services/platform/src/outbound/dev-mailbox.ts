import { renameSync, statSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { forgetLines } from './forget-lines.ts'
import { type MailSender, maxTokensPerPush, type PushSender, type SmsSender } from './port.ts'

/** One line of the file. Fields that a message lacks are omitted. */
type MailboxLine = {
  readonly at: string
  readonly channel: 'email' | 'sms' | 'push'
  readonly to: string
  readonly subject?: string | undefined
  readonly text: string
  readonly code?: string | undefined
  readonly link?: string | undefined
  /** Whom the message is about: an erasure blanks it. */
  readonly userIds?: readonly string[] | undefined
}

type DevMailboxOptions = {
  readonly file: string
  readonly now: () => Date
  /** A larger file is renamed to `<file>.previous` before the next message, which replaces the previous one. */
  readonly maxBytes?: number
}

type DevMailbox = {
  readonly mail: MailSender
  readonly sms: SmsSender
  readonly push: PushSender
  /** Blanks all messages about this person, also in the previous file. */
  forget(userId: string): Promise<void>
}

/** Replaces the providers during development: each message becomes one line of a file, in call order. */
export const createDevMailbox = ({ file, now, maxBytes = 50_000_000 }: DevMailboxOptions): DevMailbox => {
  const { append, close } = lineAppender(file, maxBytes)
  const write = (messages: readonly Omit<MailboxLine, 'at'>[]) => {
    const at = now().toISOString()
    return append(messages.map((message) => `${JSON.stringify({ at, ...message } satisfies MailboxLine)}\n`).join(''))
  }
  return {
    mail: {
      send: ({ to, subject, text, code, link, userIds }) =>
        write([{ channel: 'email', to, subject, text, code, link, userIds }]),
      close,
    },
    sms: { send: ({ to, text, code, userIds }) => write([{ channel: 'sms', to, text, code, userIds }]), close },
    push: {
      send: async (tokens, { title, body, url }, owners) => {
        if (tokens.length > maxTokensPerPush)
          throw new RangeError(`At most ${maxTokensPerPush} tokens per call, not ${tokens.length}`)
        const ownerAt = (at: number) => owners?.slice(at, at + 1)
        await write(
          tokens.map((to, at) => ({
            channel: 'push',
            to,
            subject: title,
            text: body,
            link: url,
            userIds: ownerAt(at),
          })),
        )
        return tokens.map(() => ({ kind: 'accepted' }))
      },
      close,
    },
    forget: async (userId) => {
      // What is being written is complete afterwards.
      await close()
      for (const name of [`${file}.previous`, file]) await forgetLines(name, userId)
    },
  }
}

/**
 * Appends one batch at a time, each with a single write, so that several processes can share the file. Calls during a write join the
 * next batch. A resolved call has passed its line to the operating system, so a killed process loses none. A power failure may.
 */
const lineAppender = (file: string, maxBytes: number) => {
  let waitingText = ''
  let waiting: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()

  const writeWaiting = async (): Promise<void> => {
    const text = waitingText
    waitingText = ''
    waiting = undefined
    rotate(file, maxBytes)
    await appendFile(file, text, { mode: 0o600 })
  }
  return {
    append: (text: string): Promise<void> => {
      waitingText += text
      waiting ??= last.then(writeWaiting)
      // A failed write rejects its own callers only.
      last = waiting.catch(() => undefined)
      return waiting
    },
    close: () => last,
  }
}

/**
 * Synchronous, because another process could create a new file between the two calls, and this one would rename that file. Each
 * append opens the file by its name, so no process continues in the old one.
 */
const rotate = (file: string, maxBytes: number): void => {
  try {
    if (statSync(file).size > maxBytes) renameSync(file, `${file}.previous`)
  } catch (error) {
    // The file does not exist yet, or another process has just renamed it.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
