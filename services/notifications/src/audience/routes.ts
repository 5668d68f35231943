import { unknownPrograms } from '@portal/contracts/notifications/errors'
import { findContacts as findContactsRoute } from '@portal/contracts/notifications/audience-contacts'
import { countAudience, getAudienceChoices, listPeople } from '@portal/contracts/notifications/http'
import { ok, rejected } from '@portal/platform/decider/decider'
import type { ApiError, BindRoute } from '@portal/platform/http/handler'
import { reads, recordCalls } from '@portal/platform/http/record-calls'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { AudienceChoices } from './audience-choices.ts'
import type { FindContacts } from './find-contacts.ts'
import type { createListPeople } from './list-people.ts'
import type { AudienceRejection } from './resolve-audience.ts'
import type { SelectAudience } from './select-audience.ts'

/** The error response for a rejection. */
export const audienceErrorOf = ({ reason }: AudienceRejection): ApiError => {
  switch (reason) {
    case 'unknown-programs':
      return { ...unknownPrograms, errors: { programIds: unknownPrograms.message } }
  }
}

type AudienceRoutesDeps = {
  readonly bind: BindRoute
  readonly securityLog: SecurityLog
  readonly selectAudience: SelectAudience
  readonly listPeople: ReturnType<typeof createListPeople>
  readonly choices: AudienceChoices
  readonly findContacts: FindContacts
}

export const audienceRoutes = (app: FastifyInstance, deps: AudienceRoutesDeps): void => {
  const { bind, securityLog, selectAudience, choices } = deps

  bind(app, countAudience, async ({ body }) => {
    const selected = await selectAudience(body.audience)
    if (!selected.ok) return rejected(audienceErrorOf(selected.error))
    const { count, unknown, duplicates, sentence } = selected.value
    return ok({ success: true, count, unknown: [...unknown], duplicates, sentence })
  })

  const recorded = recordCalls(bind, securityLog, { event: 'users-listed', methods: reads })
  recorded(app, listPeople, async ({ body }) => {
    const page = await deps.listPeople(body)
    return page.ok ? ok({ success: true, ...page.value }) : rejected(audienceErrorOf(page.error))
  })

  recorded(app, findContactsRoute, async ({ body }) =>
    ok({ success: true, people: await deps.findContacts(body.contacts) }),
  )

  bind(app, getAudienceChoices, async () => ok({ success: true, ...(await choices()) }))
}
