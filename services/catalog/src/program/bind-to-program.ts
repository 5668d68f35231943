import { programNotFound } from '@portal/contracts/catalog/errors'
import { type ProgramRecordId, programRecordIdSchema } from '@portal/contracts/shared/ids'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { rejected } from '@portal/platform/decider/decider'
import type { BindRoute, Call, Handler } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

const addressSchema = z.object({ id: programRecordIdSchema })

/** Binds routes whose path contains a program id. A text that is not an id means 'Program not found'. */
export const bindToProgram =
  (bind: BindRoute) =>
  <R extends AnyRoute>(
    app: FastifyInstance,
    route: R,
    handler: (call: Call<R>, id: ProgramRecordId) => ReturnType<Handler<R>>,
  ): void =>
    bind(app, route, async (call) => {
      const address = addressSchema.safeParse(call.params)
      return address.success ? handler(call, address.data.id) : rejected(programNotFound)
    })
