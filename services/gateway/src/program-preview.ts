import { getProgram } from '@portal/contracts/catalog/http'
import type { Program } from '@portal/contracts/catalog/program'
import { programPages, type PagePreview } from '@portal/contracts/shared/page-paths'
import { programRecordIdSchema } from '@portal/contracts/shared/ids'
import { buildUrl } from '@portal/contracts/shared/route'
import { withTimeout } from '@portal/platform/async/timeout'
import type { FastifyInstance } from 'fastify'
import { matcherOf } from './page-or-call.ts'

/** A slow catalog delays the page by this time at most. */
const timeoutMs = 300
/** A slow catalog leaves requests behind that still wait for it. */
const maxWaiting = 32
const descriptionChars = 200

const isProgramPage = matcherOf(
  programPages.map((path) => `${path}/?`),
  'i',
)

/** By whole characters, and by whole words where there are any. */
const startOf = (text: string): string => {
  const words = text.trim().replaceAll(/\s+/g, ' ')
  const [start = ''] = new RegExp(`^.{0,${descriptionChars}}`, 'u').exec(words) ?? []
  return start === words ? words : `${start.replace(/ [^ ]*$/, '')}…`
}

/** A program's preview, and the one address that stands for both of its pages. */
export type ProgramPreview = { readonly preview: PagePreview; readonly address: string }

const previewOf = ({ _id, programName, detail }: Program): ProgramPreview => ({
  preview: { title: programName, description: startOf(detail) },
  address: programPages[1].replace(':programId', _id),
})

export type ReadProgramPreview = (path: string, host: string | undefined) => Promise<ProgramPreview | undefined>

/**
 * The preview of the program whose page has this path, or undefined. The gateway calls itself: the route is bound in the same process
 * or leads to the catalog service. The request passes the check of the Host name that the request of the page has passed.
 */
export const programPreviews = (app: FastifyInstance): ReadProgramPreview => {
  let waiting = 0
  const read = async (url: string, host: string | undefined): Promise<ProgramPreview | undefined> => {
    waiting += 1
    try {
      const answer = await app.inject({ url, headers: { accept: 'application/json', ...(host && { host }) } })
      return answer.statusCode === 200 ? previewOf(getProgram.response.parse(answer.json()).data) : undefined
    } finally {
      waiting -= 1
    }
  }
  return async (path, host) => {
    const id = isProgramPage.test(path) ? programRecordIdSchema.safeParse(path.split('/')[2]).data : undefined
    if (id === undefined || waiting >= maxWaiting) return undefined
    try {
      return await withTimeout(read(buildUrl(getProgram, { params: { id } }), host), timeoutMs, 'reading a program')
    } catch (error) {
      app.log.info({ err: error }, 'program not read, its page has the general preview')
      return undefined
    }
  }
}
