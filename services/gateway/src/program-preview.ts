import { getProgram } from '@portal/contracts/catalog/http'
import type { Program } from '@portal/contracts/catalog/program'
import { programPages, type PagePreview } from '@portal/contracts/shared/page-paths'
import { programRecordIdSchema } from '@portal/contracts/shared/ids'
import { buildUrl } from '@portal/contracts/shared/route'
import { withTimeout } from '@portal/platform/async/timeout'
import type { FastifyInstance } from 'fastify'
import { pageMatcherOf } from './page-or-call.ts'

/** A slow catalog delays the page by this time at most. */
const timeoutMs = 300
/** A slow catalog leaves requests behind that still wait for it. */
const maxWaiting = 32
const descriptionChars = 200

const isProgramPage = pageMatcherOf(programPages)

/** Cuts a text between whole characters, and between whole words if there are any. */
const startOf = (text: string): string => {
  const words = text.trim().replaceAll(/\s+/g, ' ')
  const [start = ''] = new RegExp(`^.{0,${descriptionChars}}`, 'u').exec(words) ?? []
  return start === words ? words : `${start.replace(/ [^ ]*$/, '')}…`
}

/** A program's preview, and the canonical address of its two pages. */
type ProgramPreview = { readonly preview: PagePreview; readonly address: string }

const previewOf = ({ _id, programName, detail }: Program): ProgramPreview => ({
  preview: { title: programName, description: startOf(detail) },
  address: programPages[1].replace(':programId', _id),
})

/** `not-found`: no program's page has this path. `not-read`: the catalog did not answer in time. */
type FoundPreview = ProgramPreview | 'not-found' | 'not-read'
export type ReadProgramPreview = (path: string, host: string | undefined) => Promise<FoundPreview>

/**
 * The preview of the program whose page has this path. The gateway calls itself: the route is bound in the same process
 * or leads to the catalog service. The request passes the check of the Host name that the request of the page has passed.
 */
export const programPreviews = (app: FastifyInstance): ReadProgramPreview => {
  let waiting = 0
  const read = async (url: string, host: string | undefined): Promise<FoundPreview> => {
    waiting += 1
    try {
      const answer = await app.inject({ url, headers: { accept: 'application/json', ...(host && { host }) } })
      if (answer.statusCode === 404) return 'not-found'
      return answer.statusCode === 200 ? previewOf(getProgram.response.parse(answer.json()).data) : 'not-read'
    } finally {
      waiting -= 1
    }
  }
  return async (path, host) => {
    const id = isProgramPage.test(path) ? programRecordIdSchema.safeParse(path.split('/')[2]).data : undefined
    if (id === undefined) return 'not-found'
    if (waiting >= maxWaiting) return 'not-read'
    try {
      return await withTimeout(read(buildUrl(getProgram, { params: { id } }), host), timeoutMs, 'reading a program')
    } catch (error) {
      app.log.debug({ err: error }, 'program not read, its page has the general preview')
      return 'not-read'
    }
  }
}
