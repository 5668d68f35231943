import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { EventStore } from '@portal/platform/event-store/port'
import type { BindRoute } from '@portal/platform/http/handler'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { PeopleIndex } from '../audience/people-index.ts'
import type { ContentCache } from '../inbox/content-cache.ts'
import { createCampaignDetail } from './campaign-detail.ts'
import { createCampaignIndex } from './campaign-index.ts'
import { createCampaignOutcomes } from './campaign-outcomes.ts'
import { createCampaignSearch } from './campaign-search.ts'
import type { CampaignStates } from './campaign-states.ts'
import { detailRoutes } from './detail-routes.ts'
import { createExportRecipients } from './export-recipients.ts'
import type { ResendableRecipients } from './failed-recipients.ts'
import { createHistory } from './history.ts'
import { createPersonDeliveries } from './person-deliveries.ts'
import type { CampaignProgressReader } from './progress.ts'
import { createRecipientsReader } from './recipients-reader.ts'
import { recipientsRoutes } from './recipients-routes.ts'
import { createRecipientsViews } from './recipients-view.ts'
import { createSentItems } from './sent-items.ts'

type Deps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: ReadStore
  readonly contentCache: ContentCache
  readonly progress: CampaignProgressReader
  readonly people: PeopleIndex
  readonly states: CampaignStates
  readonly resendable: ResendableRecipients
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'now'>
  readonly securityLog: SecurityLog
}

/** What admins see of campaigns after the send. */
export const buildConsole = (deps: Deps) => {
  const { eventStore, readModel, contentCache, progress, people, states, resendable, clockAndIds, securityLog } = deps
  const sentItems = createSentItems({ contentCache, progress, people })
  const history = createHistory({
    readModel,
    sentItems,
    index: createCampaignIndex(readModel),
    search: createCampaignSearch(readModel),
    outcomes: createCampaignOutcomes({ progress, now: clockAndIds.now }),
  })
  const campaignDetail = createCampaignDetail({ readModel, sentItems, resendable, states, people })
  const personDeliveries = createPersonDeliveries({ readModel, contentCache, people })
  const recipients = createRecipientsReader({ readModel, views: createRecipientsViews({ readModel, people }) })
  const exportAll = createExportRecipients({ eventStore, recipients, states, clockAndIds })
  return {
    history,
    routes: (app: FastifyInstance, bind: BindRoute): void => {
      recipientsRoutes(app, { bind, securityLog, recipients, exportAll })
      detailRoutes(app, { bind, campaignDetail, personDeliveries })
    },
  }
}
