import { type FoundContact, findContacts } from '@portal/contracts/notifications/audience-contacts'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { credentialsOf } from '@portal/platform/session/session'
import type { FastifyRequest } from 'fastify'

/** The people of a list, from the index of all people. */
export type LearnerContacts = {
  /** One per contact, in the same order. The request is that of the admin, in whose name another process is asked. */
  find(contacts: readonly string[], request: FastifyRequest): Promise<Result<readonly FoundContact[], 'unavailable'>>
}

/** Longer than the search of a list takes right after a start, when the names are decrypted. */
const timeoutMs = 20_000

/** Asks the notifications service in another process. */
export const remoteContacts = (notificationsUrl: string): LearnerContacts => ({
  find: async (contacts, request) => {
    const credentials = credentialsOf(request, request.protocol === 'https')
    try {
      const response = await fetch(new URL(findContacts.path, notificationsUrl), {
        method: findContacts.method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${credentials?.token ?? ''}` },
        body: JSON.stringify({ contacts }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return ok(findContacts.response.parse(await response.json()).people)
    } catch (error) {
      request.log.warn({ err: error }, 'people could not be looked up, rejecting the request')
      return rejected('unavailable')
    }
  },
})

type FindInPortal = (contacts: readonly string[]) => Promise<readonly FoundContact[]>

/** Asks the notifications service of the same process. */
export const localContacts = (findInPortal: FindInPortal): LearnerContacts => ({
  find: async (contacts) => ok(await findInPortal(contacts)),
})
