import type { NotificationId } from '@portal/contracts/shared/ids'
import type { ReadModels } from '@portal/platform/generations/read-models'
import type { BindRoute } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { ContentCache } from './inbox/content-cache.ts'
import { inboxProjection } from './inbox/projection.ts'
import { createAudienceChoices } from './audience/audience-choices.ts'
import { createFindContacts } from './audience/find-contacts.ts'
import { createListPeople } from './audience/list-people.ts'
import { createPeopleIndex } from './audience/people-index.ts'
import { audienceProjection } from './audience/projection.ts'
import { createResolveAudience } from './audience/resolve-audience.ts'
import { audienceRoutes } from './audience/routes.ts'
import { createSelectAudience } from './audience/select-audience.ts'
import { createUnreadRecipients } from './audience/unread-recipients.ts'

type AudienceDeps = {
  readonly readModels: Pick<ReadModels, 'of'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly contentCache: ContentCache
  readonly logger: Logger
}

/** The users of the portal, the rules that select them, and the routes of the send form. */
export const buildAudience = ({ readModels, vault, contentCache, logger }: AudienceDeps) => {
  const stopping = new AbortController()
  const { signal } = stopping
  const people = createPeopleIndex({ readModel: readModels.of(audienceProjection), vault, logger, signal })
  const unreadRecipients = createUnreadRecipients(readModels.of(inboxProjection))
  const resolveAudience = createResolveAudience({ people, unreadRecipients })
  const textOf = async (notificationId: NotificationId) => (await contentCache.many([notificationId]))[0]
  const selectAudience = createSelectAudience({ resolveAudience, textOf })
  const choices = createAudienceChoices(people)
  const findContacts = createFindContacts(people)

  /** Decrypting 100,000 names takes seconds, which the first request should not wait for. */
  const warm = async (): Promise<void> => {
    try {
      await people.snapshot()
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, 'people index could not be loaded, the first request loads it')
    }
  }
  let warming = Promise.resolve()

  return {
    people,
    selectAudience,
    findContacts,
    start: (): void => {
      warming = warm()
    },
    stop: async (): Promise<void> => {
      stopping.abort()
      await warming
    },
    routes: (app: FastifyInstance, bind: BindRoute, securityLog: SecurityLog): void =>
      audienceRoutes(app, {
        bind,
        securityLog,
        selectAudience,
        listPeople: createListPeople(resolveAudience),
        choices,
        findContacts,
      }),
  }
}
