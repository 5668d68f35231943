import { getProgram, listPrograms } from '@portal/contracts/catalog/http'
import { ok, rejected } from '@portal/platform/decider/decider'
import type { BindRoute } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import { bindToProgram } from './bind-to-program.ts'
import type { ProgramReader } from './program-reader.ts'
import { programNotFound } from './api-errors.ts'

type Deps = { readonly bind: BindRoute; readonly programs: ProgramReader }

/** What everybody may see of the catalogue. */
export const programRoutes = (app: FastifyInstance, { bind, programs }: Deps): void => {
  const bindProgram = bindToProgram(bind)
  bind(app, listPrograms, async () => ok([...(await programs.all())]))

  bindProgram(app, getProgram, async (_call, id) => {
    const program = await programs.get(id)
    return program ? ok({ success: true, data: program }) : rejected(programNotFound)
  })
}
