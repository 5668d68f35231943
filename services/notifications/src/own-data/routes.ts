import { downloadOwnData, ownDataFileName, tooManyOwnDataDownloads } from '@portal/contracts/notifications/own-data'
import { ok, rejected } from '@portal/platform/decider/decider'
import { apiErrors } from '@portal/platform/http/problem'
import { FileDownload } from '@portal/platform/http/file-download'
import type { BindRoute } from '@portal/platform/http/handler'
import { reads, recordCalls } from '@portal/platform/http/record-calls'
import { type AttemptLimit, type AttemptLimiter, formatDuration } from '@portal/platform/limits/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { ReadOwnData } from './read-own-data.ts'

/** A file takes as many reads as hundreds of pages. */
export const ownDataLimit: AttemptLimit = { max: 3, windowMs: 24 * 60 * 60_000 }

type OwnDataRoutesDeps = {
  readonly bind: BindRoute
  readonly securityLog: SecurityLog
  readonly readOwnData: ReadOwnData
  readonly downloadsPerUser: AttemptLimiter
}

export const ownDataRoutes = (app: FastifyInstance, deps: OwnDataRoutesDeps): void => {
  const { bind, securityLog, readOwnData, downloadsPerUser } = deps
  const recorded = recordCalls(bind, securityLog, { event: 'own-data-downloaded', methods: reads })
  recorded(app, downloadOwnData, async ({ session, request }) => {
    // HEAD downloads nothing.
    const count = request.method === 'HEAD' ? downloadsPerUser.waitSeconds : downloadsPerUser.attempt
    const wait = await count(session.userId)
    if (wait !== undefined)
      return rejected({ ...tooManyOwnDataDownloads(formatDuration(wait)), retryAfterSeconds: wait })
    const content = await readOwnData(session)
    return content ? ok(new FileDownload(ownDataFileName, content)) : rejected(apiErrors.unauthenticated)
  })
}
