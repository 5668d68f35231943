import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { EventStore } from '@portal/platform/event-store/port'
import type { BindRoute } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createActionIndex } from './audit/action-index.ts'
import { createPresentActions } from './audit/present-actions.ts'
import { auditProjection } from './audit/projection.ts'
import { createReadTyped } from './audit/read-typed.ts'
import { createRecordExport } from './audit/record-export.ts'
import { auditRoutes } from './audit/routes.ts'
import { audienceProjection } from './audience/projection.ts'
import type { PersonEnrollments } from './audience/person-enrollments.ts'
import type { PeopleIndex } from './audience/people-index.ts'
import type { OwnDevices } from './device/own-devices.ts'
import type { ContentCache } from './inbox/content-cache.ts'
import type { InboxReader } from './inbox/inbox-reader.ts'
import { createCampaignDetail } from './history/campaign-detail.ts'
import { createCampaignIndex } from './history/campaign-index.ts'
import { createCampaignOutcomes } from './history/campaign-outcomes.ts'
import { createCampaignSearch } from './history/campaign-search.ts'
import type { CampaignStates } from './actions/campaign-states.ts'
import { historyRoutes } from './history/routes.ts'
import { createExportRecipients } from './recipients/export-recipients.ts'
import type { ResendableRecipients } from './actions/resend-campaign.ts'
import { createLearnerRows } from './learners/learner-rows.ts'
import { learnersRoutes } from './learners/routes.ts'
import { createHistory } from './history/history.ts'
import { peopleRoutes } from './people/routes.ts'
import { createPersonDeliveries } from './recipients/person-deliveries.ts'
import type { HasMailServer } from './preferences/mail-server.ts'
import type { CampaignProgressReader } from './campaign/progress.ts'
import { createRecipientsReader } from './recipients/recipients-reader.ts'
import { recipientsRoutes } from './recipients/routes.ts'
import { createRecipientsViews } from './recipients/recipients-view.ts'
import { createSentItems } from './history/sent-items.ts'

type ConsoleDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: ReadStore
  readonly readModels: Pick<ReadModels, 'of'>
  readonly contentCache: ContentCache
  readonly inbox: Pick<InboxReader, 'page'>
  readonly progress: CampaignProgressReader
  readonly people: PeopleIndex
  readonly states: CampaignStates
  readonly resendable: ResendableRecipients
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'now'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly logger: Pick<Logger, 'error'>
  readonly securityLog: SecurityLog
  readonly hasMailServer: HasMailServer
  readonly enrollmentsOf: PersonEnrollments
  readonly devicesOf: OwnDevices['ofUser']
}

/** Builds the routes by which admins follow campaigns after the send, and see who did what. */
export const buildConsoleRoutes = (deps: ConsoleDeps) => {
  const { eventStore, readModel, contentCache, inbox, progress, people, states, clockAndIds } = deps
  const sentItems = createSentItems({ contentCache, progress, people })
  const history = createHistory({
    readModel,
    sentItems,
    index: createCampaignIndex(readModel),
    search: createCampaignSearch(readModel),
    outcomes: createCampaignOutcomes({ progress, now: clockAndIds.now }),
  })
  const campaignDetail = createCampaignDetail({ ...deps, sentItems })
  const personDeliveries = createPersonDeliveries({ readModel, contentCache, people })
  const recipients = createRecipientsReader({ readModel, views: createRecipientsViews({ readModel, people }) })
  const exportAll = createExportRecipients({ eventStore, recipients, states, clockAndIds })
  const learnerRows = createLearnerRows({ readModel: deps.readModels.of(audienceProjection) })
  const recordExport = createRecordExport(deps)
  const actions = createActionIndex(deps.readModels.of(auditProjection))
  const presentActions = createPresentActions({ readModel, people, contentCache, readTyped: createReadTyped(deps) })
  return (app: FastifyInstance, bind: BindRoute): void => {
    historyRoutes(app, { bind, inbox, history, campaignDetail })
    auditRoutes(app, { ...deps, bind, recordExport, actions, presentActions })
    peopleRoutes(app, { ...deps, bind, recordExport })
    learnersRoutes(app, { ...deps, bind, learnerRows, recordExport })
    recipientsRoutes(app, { ...deps, bind, recipients, exportAll, personDeliveries })
  }
}
