import { expect, it } from 'vitest'
import { createRemoteHasMailServer, onMailServerQuestions } from './mail-server.ts'

/** Processes that deliver, with or without a mail server, beside others that answer null. */
const processesWith = (...hasMailServer: readonly boolean[]) => {
  const handlers: ((message: unknown) => Promise<unknown>)[] = [async () => null]
  for (const has of hasMailServer)
    onMailServerQuestions({ onRequest: (_subject, respond) => void handlers.push(respond) }, has)
  return { request: (_subject: string, message: unknown) => Promise.all(handlers.map((handle) => handle(message))) }
}

it('the processes that deliver know whether the portal has a mail server', async () => {
  expect(await createRemoteHasMailServer(processesWith(true))()).toBe(true)
  expect(await createRemoteHasMailServer(processesWith(false, false))()).toBe(false)
})

it('email can be chosen while no process delivers', async () => {
  expect(await createRemoteHasMailServer(processesWith())()).toBe(true)
})
