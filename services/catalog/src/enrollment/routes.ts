import { notALearner, programNotFound } from '@portal/contracts/catalog/errors'
import { enrollInProgram, getMyProgram, listMyPrograms } from '@portal/contracts/catalog/http'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import { bindToProgram } from '../program/bind-to-program.ts'
import type { Enroll } from './enroll.ts'
import type { EnrollmentReader } from './enrollment-reader.ts'

type EnrollmentRoutesDeps = {
  readonly bind: BindRoute
  readonly enroll: Enroll
  readonly enrollments: EnrollmentReader
}

export const enrollmentRoutes = (app: FastifyInstance, { bind, enroll, enrollments }: EnrollmentRoutesDeps): void => {
  const bindProgram = bindToProgram(bind)
  bindProgram(app, enrollInProgram, async (call, id) => {
    if (call.session.role !== 'student') return rejected(notALearner)
    const enrolled = await enroll(call.session.userId, id, metadataOf(call))
    return enrolled.ok ? ok({ success: true, message: 'Enrolled successfully', data: enrolled.value }) : enrolled
  })

  bind(app, listMyPrograms, async ({ session }) => {
    const programs = await enrollments.all(session.userId)
    return ok({ success: true, programs, data: programs })
  })

  bindProgram(app, getMyProgram, async ({ session }, id) => {
    const program = await enrollments.program(session.userId, id)
    return program ? ok({ success: true, data: program }) : rejected(programNotFound)
  })
}
