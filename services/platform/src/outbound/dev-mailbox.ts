import { renameSync, statSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { type MailSender, maxTokensPerPush, type PushSender, type SmsSender } from './port.ts'

/** One line of the outbox. Fields that a message does not have are left out. */
type MailboxLine = {
  readonly at: string
  readonly channel: 'email' | 'sms' | 'push'
  readonly to: string
  readonly subject?: string | undefined
  readonly text: string
  readonly code?: string | undefined
  readonly link?: string | undefined
}

type DevMailboxOptions = {
  readonly file: string
  readonly now: () => Date
  /** A larger file is put aside as `<file>.previous` before the next message, replacing the one before. */
  readonly maxBytes?: number
}

type DevMailbox = { readonly mail: MailSender; readonly sms: SmsSender; readonly push: PushSender }

/** Stands in for the providers: every message becomes a line of one file, in the order of the calls. */
export const createDevMailbox = ({ file, now, maxBytes = 50_000_000 }: DevMailboxOptions): DevMailbox => {
  const { append, close } = lineAppender(file, maxBytes)
  const write = (messages: readonly Omit<MailboxLine, 'at'>[]) => {
    const at = now().toISOString()
    return append(messages.map((message) => `${JSON.stringify({ at, ...message } satisfies MailboxLine)}\n`).join(''))
  }
  return {
    mail: {
      send: ({ to, subject, text, code, link }) => write([{ channel: 'email', to, subject, text, code, link }]),
      close,
    },
    sms: { send: ({ to, text, code }) => write([{ channel: 'sms', to, text, code }]), close },
    push: {
      send: async (tokens, { title, body, url }) => {
        if (tokens.length > maxTokensPerPush)
          throw new RangeError(`At most ${maxTokensPerPush} tokens a call, not ${tokens.length}`)
        await write(tokens.map((to) => ({ channel: 'push', to, subject: title, text: body, link: url })))
        return tokens.map(() => ({ kind: 'accepted' }))
      },
      close,
    },
  }
}

/**
 * One append at a time, each in one write at the end of the file, so that several processes can share it; what is asked for
 * during one goes along with the next. A line is with the operating system when its call resolves, so killing the process
 * loses none. A stand-in need not survive a power cut.
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
      // A write that fails fails for its own callers only; the next one is tried all the same.
      last = waiting.catch(() => undefined)
      return waiting
    },
    close: () => last,
  }
}

/**
 * In one breath: other processes append to the same file, and what one of them has begun anew in between would be put aside
 * in place of the full one. Each append opens the file by its name, so none goes on in the old one.
 */
const rotate = (file: string, maxBytes: number): void => {
  try {
    if (statSync(file).size > maxBytes) renameSync(file, `${file}.previous`)
  } catch (error) {
    // Not there yet, or another process has just put it aside.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
